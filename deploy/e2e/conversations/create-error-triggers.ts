import { randomUUID } from 'node:crypto';
import { call } from '../harness/http.ts';
import { createProject } from '../harness/projects.ts';
import { spoilAccount } from '../harness/spoil-account.ts';
import { makeTenant, onlyAccount, type Provider, type Tenant } from '../harness/tenant.ts';
import { type ErrorTrigger, type TriggerContext, send } from './error-triggers.ts';

/** Creates in a workspace of its own; `prepare` spoils it and gives the body. */
function inATenant(
  prepare: (context: TriggerContext, tenant: Tenant) => Promise<Record<string, unknown>>,
  providers: readonly Provider[] = ['sandbox'],
): ErrorTrigger {
  return async ({ method, template }, context) => {
    const tenant = await makeTenant(() => context.gateway, providers);
    const body = await prepare(context, tenant);
    return call(context.gateway, method, template, { key: tenant.apiKey, body });
  };
}

/** What the choice of an account for a new conversation may end with, by status and code. */
export const CREATE_ERRORS: Readonly<Record<string, ErrorTrigger>> = {
  '400 INVALID_REQUEST': (operation, context) => send(context, operation, { body: { model: 'no-such-model' } }),
  '403 ACCOUNT_NOT_CONNECTED': inATenant(() => Promise.resolve({}), []),
  '404 CONNECTION_NOT_FOUND': (operation, context) => send(context, operation, { body: { upstream_account_id: randomUUID() } }),
  '409 ACCOUNT_NOT_ACTIVE': inATenant(async ({ operator }, tenant) => {
    const { connectionId } = onlyAccount(tenant);
    await operator.updateConnection(connectionId, tenant.workspaceId, { enabled: false });
    return { upstream_account_id: connectionId };
  }),
  '503 ACCOUNT_REAUTH_REQUIRED': inATenant(async (context, tenant) => ({
    upstream_account_id: await spoilAccount(context.gateway, tenant, 'session_expired'),
  })),
  '503 NO_HEALTHY_SESSION': inATenant(async (context, tenant) => {
    await spoilAccount(context.gateway, tenant, 'session_expired');
    return {};
  }),
  '429 PROVIDER_RATE_LIMITED': inATenant(async (context, tenant) => ({
    upstream_account_id: await spoilAccount(context.gateway, tenant, 'rate_limited'),
  })),
  '404 PROJECT_NOT_FOUND': (operation, context) => send(context, operation, { body: { upstream_project_id: randomUUID() } }),
  '403 upstream_project_out_of_scope': inATenant(async ({ gateway, operator }, tenant) => {
    const { id } = await createProject({ gateway, key: tenant.apiKey }, { name: 'Unbound' });
    await operator.bindProject(id, tenant.workspaceId, { bound: false });
    return { upstream_project_id: id };
  }),
  '422 upstream_project_not_configured': async ({ method, template }, { gateway, operator }) => {
    const { workspaceId, userId } = await makeTenant(() => gateway);
    await operator.putInternalProject('strict', workspaceId, { name: 'Strict', policy: 'require_project' });
    const { key } = await operator.createKey({ workspace_id: workspaceId, user_id: userId, project: 'strict' });
    return call(gateway, method, template, { key, body: {} });
  },
};
