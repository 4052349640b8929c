import { createHash } from 'node:crypto';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { findFlow, type FlowKey, type FlowRow } from '../store/connect-flows.ts';

const MAX_SESSION_BYTES = 256;

/** The stored form of a login session's id. Throws VALIDATION_ERROR. */
export function hashSession(sessionId: string): Buffer {
  if (sessionId === '' || Buffer.byteLength(sessionId) > MAX_SESSION_BYTES)
    throw new GatewayError('VALIDATION_ERROR', `session_id has 1 to ${MAX_SESSION_BYTES} bytes`, { param: 'session_id' });
  return createHash('sha256').update(sessionId).digest();
}

/** By what a flow is found. Throws CONNECT_FLOW_NOT_FOUND for an id that is none, and VALIDATION_ERROR. */
export function toFlowKey({ id, sessionId }: { id: string; sessionId: string }, { caller: { workspaceId } }: Call): FlowKey {
  const sessionHash = hashSession(sessionId);
  if (!isUuid(id)) throw flowNotFound();
  return { id, workspaceId, sessionHash };
}

/** A flow of the caller's workspace and session, of whatever status. Throws CONNECT_FLOW_NOT_FOUND. */
export async function requireFlow({ store }: Pick<Deps, 'store'>, key: FlowKey): Promise<FlowRow> {
  const row = await findFlow(store.database, key);
  if (!row) throw flowNotFound();
  return row;
}

/** The same for one that is open. */
export async function requireOpenFlow(deps: Pick<Deps, 'store'>, key: FlowKey): Promise<FlowRow> {
  const row = await requireFlow(deps, key);
  if (row.status !== 'open') throw flowNotFound();
  return row;
}

/** The refusal of a flow that is not there, or not for this caller. */
export function flowNotFound(): GatewayError {
  return new GatewayError('CONNECT_FLOW_NOT_FOUND', 'no such flow, or it has ended');
}
