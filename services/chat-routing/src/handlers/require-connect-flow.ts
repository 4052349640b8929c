import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { createHash } from 'node:crypto';
import { type Deps } from '../deps.ts';
import { findFlow, type FlowKey, type FlowRow } from '../store/connect-flows.ts';

const MAX_SESSION_BYTES = 256;

/**
 * Returns the SHA-256 digest of a login session's id, which is stored instead of the id. Throws VALIDATION_ERROR unless it has 1 to 256
 * bytes.
 */
export function hashSession(sessionId: string): Buffer {
  if (sessionId === '' || Buffer.byteLength(sessionId) > MAX_SESSION_BYTES)
    throw new GatewayError('VALIDATION_ERROR', `session_id has 1 to ${MAX_SESSION_BYTES} bytes`, { param: 'session_id' });
  return createHash('sha256').update(sessionId).digest();
}

/** Builds the lookup key of a flow. Throws CONNECT_FLOW_NOT_FOUND for an id that is not a UUID, and VALIDATION_ERROR for the session id. */
export function toFlowKey({ id, sessionId }: { id: string; sessionId: string }, { caller: { workspaceId } }: Call): FlowKey {
  const sessionHash = hashSession(sessionId);
  if (!isUuid(id)) throw flowNotFoundError();
  return { id, workspaceId, sessionHash };
}

/** Returns the flow with this key, in any status. Throws CONNECT_FLOW_NOT_FOUND. */
export async function requireFlow({ store }: Pick<Deps, 'store'>, key: FlowKey): Promise<FlowRow> {
  const row = await findFlow(store.database, key);
  if (!row) throw flowNotFoundError();
  return row;
}

/** Returns the open flow with this key. Throws CONNECT_FLOW_NOT_FOUND when there is none or it has ended. */
export async function requireOpenFlow(deps: Pick<Deps, 'store'>, key: FlowKey): Promise<FlowRow> {
  const row = await requireFlow(deps, key);
  if (row.status !== 'open') throw flowNotFoundError();
  return row;
}

/** Creates the CONNECT_FLOW_NOT_FOUND error. */
export function flowNotFoundError(): GatewayError {
  return new GatewayError('CONNECT_FLOW_NOT_FOUND', 'no such flow, or it has ended');
}
