import { GatewayError } from '@parley/protos/errors';
import { type Caller } from '@parley/kit/rpc/call';
import { type Principal } from '../../middleware/principal.ts';
import { type AuditEntry } from '../../store/audit-log.ts';
import { type Database } from '../../store/client.ts';
import { findKeyById, type StoredKey } from '../../store/keys.ts';

/** The operator as a caller who acts inside a workspace. */
export function inWorkspaceOf(principal: Principal, workspaceId: string): Principal {
  return { ...principal, workspaceId };
}

/** The key that the operator acts for, and its caller. @throws GatewayError NOT_FOUND, param `key_id` */
export async function onBehalfOfKey(db: Database, principal: Principal, id: string): Promise<{ key: StoredKey; caller: Caller }> {
  const key = await findKeyById(db, id);
  if (!key) throw new GatewayError('NOT_FOUND', 'no such key', { param: 'key_id' });
  const { workspaceId, userId, scopes } = key;
  return { key, caller: { workspaceId, keyId: id, userId, scopes, requestId: principal.requestId } };
}

/** The audit entry of what the operator changes. */
export function toAuditEntry(principal: Principal, entry: Pick<AuditEntry, 'action' | 'targetId' | 'workspaceId' | 'details'>): AuditEntry {
  return { actor: 'operator', requestId: principal.requestId, ...entry };
}
