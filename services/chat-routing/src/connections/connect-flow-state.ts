import { type Logger } from '@parley/kit/log/logger';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { GatewayError } from '@parley/protos/errors';
import { type ConnectStep } from '../domain/connect-step.ts';
import { type StoredFlowMachine, type FlowOutcome } from '../providers/connect-flow.ts';
import { type ProviderRegistry } from '../providers/registry.ts';
import { type FlowRow, isFlowDone } from '../store/connect-flows.ts';
import { type Store } from '../store/store.ts';
import { type CleanupQueue } from './cleanup-queue.ts';

/** Dependencies of reading and abandoning connect flows. */
export interface FlowDeps {
  store: Store;
  providers: ProviderRegistry;
  secrets: SecretBox;
  cleanups: CleanupQueue;
  log: Logger;
}

/** An open connect flow with its decrypted state. */
export interface OpenFlow {
  row: FlowRow;
  flow: StoredFlowMachine;
  state: unknown;
  /** The step that the state requires next. */
  step: ConnectStep;
}

/** The result of an answer whose claim on the flow was still valid. */
export interface FlowAnswerResult {
  open: OpenFlow;
  claim: string;
  outcome: FlowOutcome<unknown>;
}

/** Encrypts the state of a flow for storage. */
export function encryptFlowState(secrets: SecretBox, id: string, state: unknown): Buffer {
  return secrets.seal(id, JSON.stringify(state));
}

/** Decrypts a stored flow. Throws CONNECT_FLOW_NOT_FOUND for a state that this process cannot read: of an old key or another release. */
export function decryptFlow({ providers, secrets, log }: FlowDeps, row: FlowRow): OpenFlow {
  try {
    const { flow } = providers.getFlow(row.provider);
    const state: unknown = JSON.parse(secrets.open(row.id, row.state ?? Buffer.alloc(0)));
    return { row, flow, state, step: flow.getStep(state) };
  } catch (err) {
    log.error({ flowId: row.id, err }, 'the state of a connect flow cannot be read');
    throw new GatewayError('CONNECT_FLOW_NOT_FOUND', 'the flow cannot go on, begin another one');
  }
}

/**
 * Closes the sign-in that a flow has open at its upstream, with retries, unless the flow completed. Checks that in the database, because
 * the answer to the completing commit may have been lost. Never rejects.
 */
export function abandonSignIn(
  { store, cleanups }: FlowDeps,
  { row: { id, connectionId }, flow }: Pick<OpenFlow, 'row' | 'flow'>,
  state: unknown,
  requestId: string,
): Promise<void> {
  const remove = async () => {
    if (!(await isFlowDone(store.database, id))) await flow.abandon(state);
  };
  return cleanups.deleteWithRetries({ connectionId, resourceType: 'sign-in', reference: id, requestId, remove });
}
