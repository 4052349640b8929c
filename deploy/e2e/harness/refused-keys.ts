import { query } from './database.ts';
import { type CreatedKey, Operator } from './operator.ts';
import { type Gateway } from './parley.ts';
import { makeTenant, type Tenant } from './tenant.ts';

/** Whose key is refused, and where. */
export interface Holder {
  gateway: Gateway;
  tenant: Pick<Tenant, 'workspaceId' | 'userId'>;
}

type NewKey = NonNullable<Parameters<Operator['createKey']>[0]>;

function newKey({ gateway, tenant: { workspaceId, userId } }: Holder, fields: NewKey = {}): Promise<CreatedKey> {
  return new Operator(() => gateway).createKey({ workspace_id: workspaceId, user_id: userId, ...fields });
}

/** Keys that no operation on conversations, projects or assets takes, by the status and code of the refusal. */
export const REFUSED_KEYS: Readonly<Record<string, (holder: Holder) => Promise<string | undefined> | string | undefined>> = {
  '401 MISSING_API_KEY': () => undefined,
  '401 INVALID_API_KEY': () => 'gmk_live_wrong',
  '401 EXPIRED_API_KEY': async (holder) => {
    const { id, key } = await newKey(holder);
    await query(holder.gateway, `UPDATE edge.api_keys SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    return key;
  },
  '401 REVOKED_API_KEY': async (holder) => {
    const { id, key } = await newKey(holder);
    await new Operator(() => holder.gateway).revokeKey(id);
    return key;
  },
  '401 USER_NOT_ACTIVE': async (holder) => {
    const operator = new Operator(() => holder.gateway);
    const user_id = await operator.createUser(holder.tenant.workspaceId);
    const { key } = await newKey(holder, { user_id });
    await operator.setUserStatus(user_id, 'disabled');
    return key;
  },
  '403 workspace_disabled': async ({ gateway }) => {
    const { workspaceId, apiKey } = await makeTenant(() => gateway, []);
    await new Operator(() => gateway).setWorkspaceStatus(workspaceId, 'disabled');
    return apiKey;
  },
  '403 MISSING_SCOPE': async (holder) => (await newKey(holder, { scopes: ['chat', 'audio'] })).key,
  '403 TENANT_ACCESS_DENIED': ({ gateway }) => gateway.operatorKey,
};
