import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { endedTurns, query } from '../harness/database.ts';
import { call } from '../harness/http.ts';
import { continuing, openaiClient, saying } from '../harness/openai.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Provider, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

const PROVIDERS: Provider[] = ['sandbox', 'openai-compatible'];
const COUNTED = '1 2 3 4 5';

describe('a request that the official openai client retries by itself', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);

    describe.each(PROVIDERS)('over %s', (provider) => {
      const isStateful = provider === 'sandbox';

      /** A tenant in the middle of a conversation, with a client that tries again twice. */
      async function talking(timeout?: number) {
        const tenant = await makeTenant(gateway, [provider]);
        const { client, sent } = openaiClient(gateway(), { apiKey: tenant.apiKey, maxRetries: 2 });
        const { response } = await client.chat.completions.create(saying('remember the blue door')).withResponse();
        const conversation = response.headers.get('x-service-conversation-id') ?? '';
        const before = sent();
        return {
          ...{ tenant, client, conversation, account: onlyAccount(tenant), attempts: () => sent() - before },
          count: (say = 'count to 5') =>
            client.chat.completions.create(saying(say), { ...continuing(conversation), ...(timeout && { timeout }) }),
        };
      }

      /** The user's messages where the record has them, and the upstream. */
      async function saidTo(tenant: Tenant): Promise<{ recorded: string[]; upstream: string[] }> {
        const recorded = (await query<{ content: string }>(gateway(), SAID, [tenant.workspaceId])).map(({ content }) => content);
        const account = onlyAccount(tenant);
        const upstream: string[] = [];
        for (const { id } of (await account.report()).conversations) {
          const nodes = await sandbox.messages(account, id);
          upstream.push(...nodes.filter(({ role }) => role === 'user').map(({ content }) => content));
        }
        return { recorded, upstream };
      }

      const once = (...texts: string[]) => ({ recorded: texts, upstream: isStateful ? texts : [] });
      const statuses = async (conversation: string) => (await endedTurns(gateway(), conversation)).map(({ status }) => status);

      /** Usage has every turn of the record, once. */
      async function expectUsage({ apiKey }: Tenant, expected: { successful: number; errors: number }) {
        const total_requests = expected.successful + expected.errors;
        const read = async () => usage.parse((await call(gateway(), 'GET', '/v1/usage', { key: apiKey })).json);
        const counted = await waitFor(async () => [await read()].find((one) => one.total_requests >= total_requests));
        expect(counted).toEqual({ total_requests, ...expected });
      }

      it.each(['server_error', 'bad_gateway_html', 'garbage'])('is posted once when %s comes before acceptance', async (fault) => {
        const { tenant, account, conversation, count, attempts } = await talking();
        await account.order({ fault });
        expect((await count()).choices[0]?.message.content).toBe(COUNTED);
        expect(attempts()).toBe(2);
        expect(await saidTo(tenant)).toEqual(once('remember the blue door', 'count to 5'));
        expect(await statuses(conversation)).toEqual(['completed', 'failed', 'completed']);
        await expectUsage(tenant, { successful: 2, errors: 1 });
      });

      it('is posted once when every attempt fails, and the person sends it again', async () => {
        const { tenant, account, conversation, count, attempts } = await talking();
        await account.order({ fault: 'server_error', count: 3 });
        await expect(count()).rejects.toMatchObject({ status: 502 });
        expect(attempts()).toBe(3);
        expect((await count()).choices[0]?.message.content).toBe(COUNTED);
        expect(await saidTo(tenant)).toEqual(once('remember the blue door', 'count to 5'));
        expect(await statuses(conversation)).toEqual(['completed', 'failed', 'failed', 'failed', 'completed']);
      });

      it.each(['cut', 'bad_json'])('is posted once when the answer is %s on its way, and is not produced again', async (fault) => {
        const { tenant, account, conversation, count } = await talking();
        await account.order({ fault, after_chunks: 2 });
        expect((await count()).choices[0]?.message.content).toBe(COUNTED);
        expect(await saidTo(tenant)).toEqual(once('remember the blue door', 'count to 5'));
        expect(await statuses(conversation)).toEqual(['completed', 'failed', 'completed']);
        if (isStateful) expect((await account.report()).conversations).toMatchObject([{ nodes: 4 }]);
        await expectUsage(tenant, { successful: 2, errors: 1 });
      });

      it('gets another answer under the same message when the first broke off upstream, and the conversation goes on there', async () => {
        const { tenant, account, conversation, count } = await talking();
        await account.order({ fault: 'error_mid_stream', after_chunks: 2 });
        expect((await count()).choices[0]?.message.content).toBe(COUNTED);
        expect((await count('what was my last message?')).choices[0]?.message.content).toContain('count to 5');
        expect((await count('how many messages?')).choices[0]?.message.content).toContain('7');
        expect(await saidTo(tenant)).toEqual(
          once('remember the blue door', 'count to 5', 'what was my last message?', 'how many messages?'),
        );
        expect(await statuses(conversation)).toEqual(['completed', 'failed', 'completed', 'completed', 'completed']);
      });

      it('is posted once when the client loses its patience', async () => {
        const { tenant, conversation, count, attempts } = await talking(5_000);
        const answered = await sandbox.paced(200, async () => {
          const asked = count('count to 100');
          await waitFor(() => attempts() === 2);
          await sandbox.setPace(0);
          return asked;
        });
        expect(answered.choices[0]?.message.content).toMatch(/^1 2 3 .* 100$/);
        expect(await saidTo(tenant)).toEqual(once('remember the blue door', 'count to 100'));
        expect(await statuses(conversation)).toEqual(['completed', 'interrupted', 'completed']);
        // The upstream that streams to us had produced something by then; the other answers whole.
        await expectUsage(tenant, isStateful ? { successful: 3, errors: 0 } : { successful: 2, errors: 1 });
      });

      it.each([{}, { stream: true }] as const)('opens one conversation when its first turn is refused (%j)', async (body) => {
        const tenant = await makeTenant(gateway, [provider]);
        const { client, sent } = openaiClient(gateway(), { apiKey: tenant.apiKey, maxRetries: 2 });
        await onlyAccount(tenant).order({ fault: 'server_error', count: 2 });
        const { response } = await client.chat.completions.create({ ...saying('count to 5'), ...body }).withResponse();
        const conversation = response.headers.get('x-service-conversation-id') ?? '';
        expect(sent()).toBe(3);
        await waitFor(async () => (await statuses(conversation)).length === 3);
        expect(await statuses(conversation)).toEqual(['failed', 'failed', 'completed']);
        expect(await saidTo(tenant)).toEqual(once('count to 5'));
        await expectUsage(tenant, { successful: 1, errors: 2 });
        const next = await client.chat.completions.create(saying('what was my last message?'), continuing(conversation));
        expect(next.choices[0]?.message.content).toContain('count to 5');
      });

      it('runs the same message twice without a key', async () => {
        const { tenant, count } = await talking();
        await count();
        await count();
        expect(await saidTo(tenant)).toEqual(once('remember the blue door', 'count to 5', 'count to 5'));
      });

      it('gets the answer that is on record when its client never got it', async () => {
        const { tenant, conversation, client, count } = await talking();
        const first = await count();
        const lost = { ...continuing(conversation), maxRetries: 0 };
        lost.headers = { ...lost.headers, 'x-stainless-retry-count': '1' } as typeof lost.headers;
        const second = await client.chat.completions.create(saying('count to 5'), lost);
        expect(second.id).toBe(first.id);
        expect(second.choices).toEqual(first.choices);
        expect(await saidTo(tenant)).toEqual(once('remember the blue door', 'count to 5'));
        await expectUsage(tenant, { successful: 2, errors: 0 });
      });
    });
  });
});

const usage = z.object({ total_requests: z.int(), successful: z.int(), errors: z.int() });

const SAID = `
  SELECT m.content FROM conversation.messages m JOIN conversation.conversations c ON c.id = m.conversation_id
   WHERE c.workspace_id = $1 AND m.role = 'user' ORDER BY c.created_at, m.sequence, m.position`;
