import { GatewayError } from '@parley/protos/errors';
import { type Principal, type TracedCaller } from '../../middleware/principal.ts';
import { type Database } from '../../store/client.ts';
import { findKeyById, type StoredKey } from '../../store/keys.ts';

/** Returns the principal as a caller in a workspace. */
export function withWorkspace(principal: Principal, workspaceId: string): Principal {
  return { ...principal, workspaceId };
}

/** Returns the API key that the operator acts for, and a caller with its rights. @throws GatewayError NOT_FOUND, param `key_id` */
export async function requireKeyCaller(db: Database, principal: Principal, id: string): Promise<{ key: StoredKey; caller: TracedCaller }> {
  const key = await findKeyById(db, id);
  if (!key) throw new GatewayError('NOT_FOUND', 'no such key', { param: 'key_id' });
  const { workspaceId, userId, scopes } = key;
  const { requestId, span } = principal;
  return { key, caller: { workspaceId, keyId: id, userId, scopes, requestId, span } };
}
