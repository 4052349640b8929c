import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { type FlowAnswerResult, abandonSignIn, encryptFlowState } from '../connections/connect-flow-state.ts';
import { type Deps } from '../deps.ts';
import { type FlowOutcome } from '../providers/connect-flow.ts';
import { failFlow, type FlowRow, updateFlowState } from '../store/connect-flows.ts';
import { toDoneConnectFlow, toOpenConnectFlow } from './connect-flow-message.ts';
import { finishConnectFlow } from './finish-connect-flow.ts';
import { flowNotFoundError } from './require-connect-flow.ts';

/** Stores the outcome of an answer and returns the updated flow. Throws CONNECT_REFUSED or the upstream's error when the answer failed. */
export async function storeAnswerOutcome(deps: Deps, checked: FlowAnswerResult, call: Call): Promise<ConnectFlow> {
  const { open, outcome } = checked;
  switch (outcome.is) {
    case 'asked': {
      const row = await move(deps, checked, { state: outcome.state, step: open.row.step + 1, wrong: open.row.wrong }, call);
      return toOpenConnectFlow(row, open.flow.getStep(outcome.state), deps.connectLimits.maxWrongAnswers);
    }
    case 'interrupted':
      await move(deps, checked, { state: outcome.state, step: open.row.step + 1, wrong: open.row.wrong }, call);
      throw outcome.error;
    case 'refused':
      return refuse(deps, checked, outcome, call);
    case 'proven': {
      const connection = await finishConnectFlow(deps, checked, outcome, call);
      return toDoneConnectFlow({ ...open.row, step: open.row.step + 1 }, connection);
    }
  }
}

async function refuse(
  deps: Deps,
  checked: FlowAnswerResult,
  { reason, state }: Extract<FlowOutcome<unknown>, { is: 'refused' }>,
  call: Call,
): Promise<never> {
  const { open, claim } = checked;
  const { row } = open;
  const wrong = row.wrong + 1;
  const left = deps.connectLimits.maxWrongAnswers - wrong;
  const { requestId } = call.caller;
  deps.log.info({ requestId, flowId: row.id, provider: row.provider, left }, 'an answer of a connect flow was refused');
  if (left > 0) {
    const step = state === undefined ? row.step : row.step + 1;
    await move(deps, checked, { state: state ?? open.state, step, wrong }, call);
    throw new GatewayError('CONNECT_REFUSED', `${reason}; ${left === 1 ? '1 try is' : `${left} tries are`} left`);
  }
  if (!(await failFlow(deps.store.database, row.id, claim, wrong, reason))) throw flowNotFoundError();
  void abandonSignIn(deps, open, open.state, requestId);
  throw new GatewayError('CONNECT_REFUSED', `${reason}; no tries are left, begin another flow`);
}

/** Stores the next state of a flow. When the flow was cancelled meanwhile, closes the sign-in and throws CONNECT_FLOW_NOT_FOUND. */
async function move(
  deps: Deps,
  { open, claim }: FlowAnswerResult,
  { state, step, wrong }: { state: unknown; step: number; wrong: number },
  call: Call,
): Promise<FlowRow> {
  const { row } = open;
  const sealed = encryptFlowState(deps.secrets, row.id, state);
  if (await updateFlowState(deps.store.database, row.id, claim, { state: sealed, step, wrong }))
    return { ...row, state: sealed, step, wrong };
  void abandonSignIn(deps, open, state, call.caller.requestId);
  throw flowNotFoundError();
}
