import { randomUUID } from 'node:crypto';
import { ask } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { call } from '../harness/http.ts';
import { makeTenant, onlyAccount, type Provider, type Tenant } from '../harness/tenant.ts';
import { type Provocation, type Scene, send } from './provocations.ts';

/** Creates in a workspace of its own; `prepare` spoils it and gives the body. */
function inATenant(
  prepare: (scene: Scene, tenant: Tenant) => Promise<Record<string, unknown>>,
  providers: readonly Provider[] = ['sandbox'],
): Provocation {
  return async ({ method, template }, scene) => {
    const tenant = await makeTenant(() => scene.house, providers);
    const body = await prepare(scene, tenant);
    return call(scene.house, method, template, { key: tenant.apiKey, body });
  };
}

/** Lets a turn find out what is wrong with the only account of a tenant. */
export async function spoil({ house }: Scene, tenant: Tenant, fault: string): Promise<string> {
  const account = onlyAccount(tenant);
  await account.order({ fault });
  await ask(house, { key: tenant.apiKey });
  return account.connectionId;
}

/** What the choice of an account for a new conversation may end with, by status and code. */
export const OF_CREATE: Readonly<Record<string, Provocation>> = {
  '400 INVALID_REQUEST': (operation, scene) => send(scene, operation, { body: { model: 'no-such-model' } }),
  '403 ACCOUNT_NOT_CONNECTED': inATenant(() => Promise.resolve({}), []),
  '404 CONNECTION_NOT_FOUND': (operation, scene) => send(scene, operation, { body: { upstream_account_id: randomUUID() } }),
  '409 ACCOUNT_NOT_ACTIVE': inATenant(async ({ operator }, tenant) => {
    const { connectionId } = onlyAccount(tenant);
    await operator.updateConnection(connectionId, tenant.workspaceId, { enabled: false });
    return { upstream_account_id: connectionId };
  }),
  '503 ACCOUNT_REAUTH_REQUIRED': inATenant(async (scene, tenant) => ({
    upstream_account_id: await spoil(scene, tenant, 'session_expired'),
  })),
  '503 NO_HEALTHY_SESSION': inATenant(async (scene, tenant) => {
    await spoil(scene, tenant, 'session_expired');
    return {};
  }),
  '429 PROVIDER_RATE_LIMITED': inATenant(async (scene, tenant) => ({ upstream_account_id: await spoil(scene, tenant, 'rate_limited') })),
  '404 PROJECT_NOT_FOUND': (operation, scene) => send(scene, operation, { body: { upstream_project_id: randomUUID() } }),
  '403 upstream_project_out_of_scope': inATenant(async ({ house }, tenant) => {
    // Projects have no public way in yet; this one has no binding.
    const sql = `INSERT INTO routing.upstream_projects (id, workspace_id, connection_id, slug, name)
                 VALUES (gen_random_uuid(), $1, $2, 'unbound', 'unbound') RETURNING id`;
    const [project] = await query<{ id: string }>(house, sql, [tenant.workspaceId, onlyAccount(tenant).connectionId]);
    return { upstream_project_id: project?.id };
  }),
  '422 upstream_project_not_configured': inATenant(async ({ house }, tenant) => {
    const sql = `WITH project AS (
                   INSERT INTO edge.internal_projects (id, workspace_id, slug, name, policy)
                   VALUES (gen_random_uuid(), $1, 'strict', 'strict', 'require_project') RETURNING id)
                 UPDATE edge.api_keys SET internal_project_id = (SELECT id FROM project) WHERE id = $2`;
    await query(house, sql, [tenant.workspaceId, tenant.keyId]);
    return {};
  }),
};
