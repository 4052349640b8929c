import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { ask, said, stream } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { exhaustAccount, spoilAccount } from '../harness/spoil-account.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { type ErrorTrigger, type TriggerContext, send } from './error-triggers.ts';

const messages = z.array(z.looseObject({ status: z.string() }));

/** Asks for an operation on a conversation of a workspace of its own, after `prepare` has spoiled it. */
export function ofOne(prepare: (context: TriggerContext, tenant: Tenant, conversation: string) => Promise<unknown>): ErrorTrigger {
  return async (operation, context) => {
    const tenant = await makeTenant(() => context.gateway);
    const { conversation } = said(await ask(context.gateway, { key: tenant.apiKey }));
    await prepare(context, tenant, conversation);
    return send(inAnother(context, tenant, conversation), operation);
  };
}

/** The context of a conversation in another workspace. */
export function inAnother(context: TriggerContext, { userId, apiKey: key }: Tenant, conversation: string): TriggerContext {
  return { ...context, ids: { ...context.ids, conversation }, people: { ...context.people, owner: { userId, key } } };
}

const whileBusy: ErrorTrigger = ({ method, template }, { gateway }) =>
  new Sandbox(() => gateway).paced(20, async () => {
    const { apiKey: key } = await makeTenant(() => gateway);
    const leaving = new AbortController();
    const running = await stream(gateway, { key, say: 'count to 10000', signal: leaving.signal });
    const path = template.replace('{conversation_id}', running.headers.get('x-service-conversation-id') ?? '');
    const listed = () => call(gateway, 'GET', path.replace('/sync', '/messages'), { key });
    await waitFor(async () => messages.parse((await listed()).json).at(-1)?.status === 'streaming');
    const answer = await call(gateway, method, path, { key });
    leaving.abort();
    return answer;
  });

/** What asking the upstream about a conversation may end with, by status and code. */
export const SYNC_ERRORS: Readonly<Record<string, ErrorTrigger>> = {
  '409 CONVERSATION_BUSY': whileBusy,
  '503 CONVERSATION_UPSTREAM_UNAVAILABLE': ofOne(({ gateway }, tenant) => exhaustAccount(gateway, tenant)),
  '409 ACCOUNT_NOT_ACTIVE': ofOne(({ operator }, tenant) =>
    operator.updateConnection(onlyAccount(tenant).connectionId, tenant.workspaceId, { enabled: false }),
  ),
  '429 PROVIDER_RATE_LIMITED': ofOne(({ gateway }, tenant) => spoilAccount(gateway, tenant, 'rate_limited')),
  '502 PROVIDER_UNAVAILABLE': ofOne((_context, tenant) => onlyAccount(tenant).order({ fault: 'server_error' })),
};
