import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import OpenAI from 'openai';
import { endedTurns } from '../harness/database.ts';
import { continuing, openaiClient, saying } from '../harness/openai.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Provider } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

const RECALL = 'what did I ask you to remember?';

describe('the official openai client', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);
    const clientOf = (apiKey?: string) => openaiClient(gateway(), apiKey ? { apiKey } : {});

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

    it.each<[Provider]>([['sandbox'], ['openai-compatible']])(
      'stops the upstream when it leaves a stream, and goes on afterwards (%s)',
      async (provider) => {
        const tenant = await makeTenant(gateway, [provider]);
        const account = onlyAccount(tenant);
        const { client } = clientOf(tenant.apiKey);
        const conversation = await sandbox.paced(20, async () => {
          const { data: stream, response } = await client.chat.completions
            .create({ ...saying('count to 10000'), stream: true })
            .withResponse();
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
      },
    );

    it('stops the upstream when it gives up on a whole answer', async () => {
      const tenant = await makeTenant(gateway, ['openai-compatible']);
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

    async function turnsOf(conversation: string, count: number) {
      const turns = await endedTurns(gateway(), conversation);
      return turns.length === count ? turns : undefined;
    }

    async function lastUpstream(account: ReturnType<typeof onlyAccount>) {
      const [conversation] = (await account.report()).conversations;
      return (await sandbox.messages(account, conversation?.id ?? '')).at(-1);
    }
  });
});
