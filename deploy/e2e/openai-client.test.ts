import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import OpenAI from 'openai';
import { endedTurns } from './harness/database.ts';
import { continuing, openaiClient, saying } from './harness/openai.ts';
import { Operator } from './harness/operator.ts';
import { Sandbox } from './harness/sandbox.ts';
import { makeTenant, onlyAccount, type Provider } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const RECALL = 'what did I ask you to remember?';

describe('the official openai client', () => {
  inBothTopologies(
    (house) => {
      const sandbox = new Sandbox(house);
      const clientOf = (apiKey?: string, maxRetries?: number) => openaiClient(house(), { ...(apiKey && { apiKey }), ...(maxRetries && { maxRetries }) });

      it('lists the models, auto first', async () => {
        const models = await clientOf().client.models.list();
        expect(models.data.map(({ id }) => id)).toEqual(['auto', 'sandbox-1', 'sandbox-mini']);
        expect(models.data.every(({ object }) => object === 'model')).toBe(true);
      });

      it('gets a whole answer with its usage', async () => {
        const { data, response, request_id } = await clientOf().client.chat.completions.create(saying('say two words')).withResponse();
        expect(data).toMatchObject({
          object: 'chat.completion',
          model: 'sandbox-1',
          choices: [{ index: 0, message: { role: 'assistant', content: 'two words' }, finish_reason: 'stop' }],
        });
        expect(data.id).toMatch(/^chatcmpl-/);
        expect(data.usage?.completion_tokens).toBeGreaterThan(0);
        expect(data.usage?.total_tokens).toBe((data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0));
        expect(response.headers.get('x-request-id')).toBe(request_id);
        expect(response.headers.get('x-service-conversation-id')).toBe((data as unknown as { conversation_id: string }).conversation_id);
      });

      it('streams with the helper', async () => {
        const runner = clientOf().client.chat.completions.stream({ ...saying('count to 5'), stream_options: { include_usage: true } });
        const contents: string[] = [];
        runner.on('content', (delta) => contents.push(delta));
        expect(await runner.finalContent()).toBe('1 2 3 4 5');
        expect(contents.filter((text) => text !== '')).toEqual(['1', ' 2', ' 3', ' 4', ' 5']);
        const final = await runner.finalChatCompletion();
        expect(final.choices[0]?.finish_reason).toBe('stop');
        expect((await runner.totalUsage()).completion_tokens).toBeGreaterThan(0);
      });

      it('streams chunk by chunk, with a usage chunk only when asked', async () => {
        const { client } = clientOf();
        for (const include_usage of [true, false]) {
          const stream = await client.chat.completions.create({ ...saying('count to 3'), stream: true, stream_options: { include_usage } });
          const chunks = [];
          for await (const chunk of stream) chunks.push(chunk);
          expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('1 2 3');
          expect(chunks.filter(({ usage }) => usage)).toHaveLength(include_usage ? 1 : 0);
        }
      });

      it.each([
        ['streamed', true],
        ['whole', false],
      ])('continues a conversation by header (%s)', async (_name, stream) => {
        const { client } = clientOf();
        const say = async (content: string, conversation?: string) => {
          const options = conversation ? continuing(conversation) : {};
          const { data, response } = stream
            ? await client.chat.completions.create({ ...saying(content), stream }, options).withResponse()
            : await client.chat.completions.create({ ...saying(content), stream }, options).withResponse();
          let text = '';
          if ('choices' in data) text = data.choices[0]?.message.content ?? '';
          else for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? '';
          return { text, conversation: response.headers.get('x-service-conversation-id') ?? '' };
        };
        const first = await say('remember the blue door');
        const second = await say(RECALL, first.conversation);
        expect(second).toEqual({ text: 'You asked me to remember: the blue door.', conversation: first.conversation });
        expect((await say('how many messages?', first.conversation)).text).toMatch(/\b[56]\b/);
      });

      it.each<[Provider]>([['sandbox'], ['openai-compatible']])('stops the upstream when it leaves a stream, and goes on afterwards (%s)', async (provider) => {
        const tenant = await makeTenant(house, [provider]);
        const account = onlyAccount(tenant);
        const { client } = clientOf(tenant.apiKey);
        const conversation = await sandbox.paced(20, async () => {
          const { data: stream, response } = await client.chat.completions.create({ ...saying('count to 10000'), stream: true }).withResponse();
          for await (const chunk of stream) if (chunk.choices[0]?.delta.content === ' 5') break;
          await waitFor(async () => (await account.report()).open_streams === 0);
          return response.headers.get('x-service-conversation-id') ?? '';
        });
        const [turn] = await waitFor(() => turnsOf(conversation, 1));
        expect(turn).toMatchObject({ status: 'interrupted', text: expect.stringMatching(/^1 2 3 4 5\b/) });
        if (provider === 'openai-compatible') expect((await account.report()).aborted_connections).toBe(1);
        else expect(await lastUpstream(account)).toMatchObject({ role: 'assistant', finish_reason: 'stopped' });

        const next = await client.chat.completions.create(saying('what was my first message?'), continuing(conversation));
        expect(next.choices[0]?.message.content).toContain('count to 10000');
      });

      it('stops the upstream when it gives up on a whole answer', async () => {
        const tenant = await makeTenant(house, ['openai-compatible']);
        const account = onlyAccount(tenant);
        const leaving = new AbortController();
        await sandbox.paced(20, async () => {
          const answer = clientOf(tenant.apiKey).client.chat.completions.create(saying('count to 10000'), { signal: leaving.signal });
          await waitFor(async () => (await account.report()).open_streams === 1);
          leaving.abort();
          await expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
          await waitFor(async () => (await account.report()).open_streams === 0);
        });
        expect((await account.report()).aborted_connections).toBe(1);
      });

      describe('throws', () => {
        it('BadRequestError for a model that nobody offers', async () => {
          const error = await refusal(clientOf().client.chat.completions.create({ ...saying('hello'), model: 'no-such-model' }));
          expect(error).toBeInstanceOf(OpenAI.BadRequestError);
          expect(error).toMatchObject({ status: 400, code: 'INVALID_REQUEST', param: 'model', type: 'invalid_request_error' });
          expect(error.requestID).toBeTruthy();
        });

        it('AuthenticationError for a wrong key', async () => {
          const error = await refusal(clientOf(`gmk_live_${'x'.repeat(43)}`).client.models.list());
          expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
          expect(error).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
        });

        it('PermissionDeniedError for a key without the scope', async () => {
          const { key } = await new Operator(house).createKey({ scopes: ['audio'] });
          const error = await refusal(clientOf(key).client.chat.completions.create(saying('hello')));
          expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
          expect(error).toMatchObject({ status: 403, code: 'MISSING_SCOPE', param: 'chat' });
        });

        it('NotFoundError for an unknown conversation', async () => {
          const error = await refusal(clientOf().client.chat.completions.create(saying('hello'), continuing('01900000-0000-7000-8000-00000000dead')));
          expect(error).toBeInstanceOf(OpenAI.NotFoundError);
          expect(error).toMatchObject({ status: 404, code: 'CONVERSATION_NOT_FOUND' });
        });

        it('ConflictError for a second turn beside a slow one, and the conversation goes on afterwards', async () => {
          const { client } = clientOf();
          await sandbox.paced(20, async () => {
            const { data: slow, response } = await client.chat.completions.create({ ...saying('count to 10000'), stream: true }).withResponse();
            const conversation = response.headers.get('x-service-conversation-id') ?? '';
            const error = await refusal(client.chat.completions.create(saying('hello'), continuing(conversation)));
            expect(error).toBeInstanceOf(OpenAI.ConflictError);
            expect(error).toMatchObject({ status: 409, code: 'CONVERSATION_BUSY' });
            slow.controller.abort();
            await waitFor(() => turnsOf(conversation, 1));
            const next = await client.chat.completions.create(saying('say again'), continuing(conversation));
            expect(next.choices[0]?.message.content).toBe('again');
          });
        });

        it('UnprocessableEntityError for a body that is none', async () => {
          const error = await refusal(clientOf().client.chat.completions.create({ model: 'auto', messages: [] }));
          expect(error).toBeInstanceOf(OpenAI.UnprocessableEntityError);
          expect(error).toMatchObject({ status: 422, code: 'VALIDATION_ERROR', param: 'messages' });
        });

        it('RateLimitError when the upstream limits the account', async () => {
          const tenant = await makeTenant(house);
          await onlyAccount(tenant).order({ fault: 'rate_limited' });
          const error = await refusal(clientOf(tenant.apiKey).client.chat.completions.create(saying('hello')));
          expect(error).toBeInstanceOf(OpenAI.RateLimitError);
          expect(error).toMatchObject({ status: 429, code: 'PROVIDER_RATE_LIMITED', type: 'rate_limit_error' });
        });

        it('InternalServerError when the upstream fails', async () => {
          const tenant = await makeTenant(house);
          await onlyAccount(tenant).order({ fault: 'server_error' });
          const error = await refusal(clientOf(tenant.apiKey).client.chat.completions.create({ ...saying('hello'), stream: true }));
          expect(error).toBeInstanceOf(OpenAI.InternalServerError);
          expect(error).toMatchObject({ status: 502, code: 'PROVIDER_UNAVAILABLE' });
        });

        it('APIError out of a stream that fails on its way, after what came before', async () => {
          const tenant = await makeTenant(house);
          await onlyAccount(tenant).order({ fault: 'error_mid_stream', after_chunks: 2 });
          const stream = await clientOf(tenant.apiKey).client.chat.completions.create({ ...saying('count to 5'), stream: true });
          let text = '';
          const reading = async () => {
            for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
          };
          const error = await refusal(reading());
          expect(error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', type: 'upstream_error' });
          expect(text).toBe('1 2');
        });
      });

      describe('retries by itself', () => {
        it('what may pass', async () => {
          const tenant = await makeTenant(house);
          await onlyAccount(tenant).order({ fault: 'server_error' });
          const { client, sent } = clientOf(tenant.apiKey, 2);
          const answer = await client.chat.completions.create(saying('say back'));
          expect(answer.choices[0]?.message.content).toBe('back');
          expect(sent()).toBe(2);
        });

        it('nothing that will not', async () => {
          const tenant = await makeTenant(house);
          await onlyAccount(tenant).order({ fault: 'image_refused' });
          const { client, sent } = clientOf(tenant.apiKey, 2);
          const error = await refusal(client.chat.completions.create(saying('draw a cat')));
          expect(error).toMatchObject({ status: 503, code: 'IMAGE_GENERATION_UNAVAILABLE' });
          expect(error.headers?.get('x-should-retry')).toBe('false');
          expect(sent()).toBe(1);
        });
      });

      async function turnsOf(conversation: string, count: number) {
        const turns = await endedTurns(house(), conversation);
        return turns.length === count ? turns : undefined;
      }

      async function lastUpstream(account: ReturnType<typeof onlyAccount>) {
        const [conversation] = (await account.report()).conversations;
        return (await sandbox.messages(account, conversation?.id ?? '')).at(-1);
      }
    },
    { env: { PARLEY_BUSY_MS: '500ms' } },
  );
});

/** The APIError a call fails with. */
async function refusal(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const outcome = await work.then(
    () => new Error('the call was not refused'),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(OpenAI.APIError);
  return outcome as InstanceType<typeof OpenAI.APIError>;
}
