import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type AnswerConnectFlowRequest } from '@parley/protos/routing/v1/connect_flow';
import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { randomUUID } from 'node:crypto';
import { abandonSignIn, decryptFlow, type OpenFlow } from '../connections/connect-flow-state.ts';
import { type Deps } from '../deps.ts';
import { type StepAnswer } from '../domain/connect-step.ts';
import { parseStepAnswer } from '../domain/step-answer.ts';
import { claimFlow, failFlow, type FlowKey, type FlowRow, releaseFlow } from '../store/connect-flows.ts';
import { requireOpenFlow, toFlowKey } from './require-connect-flow.ts';
import { storeAnswerOutcome } from './store-answer-outcome.ts';

/**
 * RPC AnswerConnectFlow: processes the answer to the current step and returns the flow afterwards. One answer is processed at a time across
 * replicas, and completes even when the caller disconnects. Throws CONNECT_FLOW_NOT_FOUND, CONNECT_STEP_INVALID, CONNECT_FLOW_BUSY,
 * CONNECT_REFUSED, or the coded error of the upstream.
 */
export async function answerConnectFlow(deps: Deps, request: AnswerConnectFlowRequest, call: Call): Promise<ConnectFlow> {
  const { store, connectLimits, log } = deps;
  const key = toFlowKey(request, call);
  const open = decryptFlow(deps, await requireOpenFlow(deps, key));
  if (request.step !== undefined && request.step !== open.row.step)
    throw new GatewayError('CONNECT_STEP_INVALID', 'this step is over, read the flow', { param: 'step' });
  const answer = parseStepAnswer(open.step, { values: request.answers, action: request.action });
  const claim = await claimForAnswer(deps, key, open.row);
  try {
    if (open.row.answers >= connectLimits.maxAnswers) return await giveUp(deps, open, claim, call);
    return await storeAnswerOutcome(deps, { open, claim, outcome: await ask(deps, open, answer) }, call);
  } catch (thrown) {
    await releaseFlow(store.database, open.row.id, claim).catch((err: unknown) =>
      log.warn({ requestId: call.caller.requestId, err, flowId: open.row.id }, 'the claim of a connect flow ends by itself'),
    );
    throw thrown;
  }
}

async function claimForAnswer(deps: Deps, key: FlowKey, row: FlowRow): Promise<string> {
  const claim = randomUUID();
  if (await claimFlow(deps.store.database, row, claim, deps.connectLimits.claimMs)) return claim;
  await requireOpenFlow(deps, key);
  throw new GatewayError('CONNECT_FLOW_BUSY', 'another answer to this step is being checked', { retryAfterMs: 1_000 });
}

function ask({ connectLimits }: Deps, { flow, state }: OpenFlow, answer: StepAnswer) {
  return flow.answer(state, answer, AbortSignal.timeout(connectLimits.stepMs));
}

async function giveUp(deps: Deps, open: OpenFlow, claim: string, call: Call): Promise<never> {
  const reason = 'there were too many answers';
  await failFlow(deps.store.database, open.row.id, claim, open.row.wrong, reason);
  void abandonSignIn(deps, open, open.state, call.caller.requestId);
  throw new GatewayError('CONNECT_REFUSED', `${reason}; begin another flow`);
}
