import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { ask, said, stream } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { spoil } from './provocations-of-create.ts';
import { type Provocation, type Scene } from './provocations.ts';

const messages = z.array(z.looseObject({ status: z.string() }));

/** Syncs a conversation of a workspace of its own, after `prepare` has spoiled it. */
function ofOne(prepare: (scene: Scene, tenant: Tenant) => Promise<unknown>): Provocation {
  return async ({ method, template }, scene) => {
    const tenant = await makeTenant(() => scene.house);
    const { conversation } = said(await ask(scene.house, { key: tenant.apiKey }));
    await prepare(scene, tenant);
    return call(scene.house, method, template.replace('{conversation_id}', conversation), { key: tenant.apiKey });
  };
}

/** Fails turns until the breaker of the account is open. */
async function exhaust({ house }: Scene, tenant: Tenant): Promise<void> {
  await onlyAccount(tenant).order({ fault: 'server_error', count: 20 });
  await waitFor(async () => (await ask(house, { key: tenant.apiKey })).status === 503);
}

const whileBusy: Provocation = ({ method, template }, { house }) =>
  new Sandbox(() => house).paced(20, async () => {
    const { apiKey: key } = await makeTenant(() => house);
    const leaving = new AbortController();
    const running = await stream(house, { key, say: 'count to 10000', signal: leaving.signal });
    const path = template.replace('{conversation_id}', running.headers.get('x-service-conversation-id') ?? '');
    const listed = () => call(house, 'GET', path.replace('/sync', '/messages'), { key });
    await waitFor(async () => messages.parse((await listed()).json).at(-1)?.status === 'streaming');
    const answer = await call(house, method, path, { key });
    leaving.abort();
    return answer;
  });

/** What asking the upstream about a conversation may end with, by status and code. */
export const OF_SYNC: Readonly<Record<string, Provocation>> = {
  '409 CONVERSATION_BUSY': whileBusy,
  '503 CONVERSATION_UPSTREAM_UNAVAILABLE': ofOne(exhaust),
  '409 ACCOUNT_NOT_ACTIVE': ofOne(({ operator }, tenant) =>
    operator.updateConnection(onlyAccount(tenant).connectionId, tenant.workspaceId, { enabled: false }),
  ),
  '429 PROVIDER_RATE_LIMITED': ofOne((scene, tenant) => spoil(scene, tenant, 'rate_limited')),
  '502 PROVIDER_UNAVAILABLE': ofOne((_scene, tenant) => onlyAccount(tenant).order({ fault: 'server_error' })),
};
