import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { APICallError, generateText, type ModelMessage, streamText } from 'ai';
import { endedTurns } from './harness/database.ts';
import { Operator } from './harness/operator.ts';
import { Sandbox } from './harness/sandbox.ts';
import { makeTenant, onlyAccount } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const CONVERSATION = 'x-service-conversation-id';

describe('the AI SDK', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);
    const model = (apiKey = gateway().apiKey, name = 'auto') =>
      createOpenAICompatible({ name: 'parley', baseURL: `${gateway().url}/v1`, apiKey, includeUsage: true })(name);

    it('generates text with its usage', async () => {
      const { text, finishReason, usage, response } = await generateText({ model: model(), prompt: 'say two words' });
      expect({ text, finishReason }).toEqual({ text: 'two words', finishReason: 'stop' });
      expect(usage.outputTokens).toBeGreaterThan(0);
      expect(usage.totalTokens).toBe((usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
      expect(response.modelId).toBe('sandbox-1');
    });

    it('streams text with its usage', async () => {
      const result = streamText({ model: model(), prompt: 'count to 5' });
      const parts: string[] = [];
      for await (const part of result.textStream) parts.push(part);
      expect(parts).toEqual(['1', ' 2', ' 3', ' 4', ' 5']);
      expect(await result.finishReason).toBe('stop');
      expect((await result.usage).outputTokens).toBeGreaterThan(0);
      expect(await result.warnings).toEqual([]);
    });

    it('continues a conversation by header, with the history of the SDK or without it', async () => {
      const messages: ModelMessage[] = [{ role: 'user', content: 'remember the blue door' }];
      const first = await generateText({ model: model(), messages });
      const headers = { [CONVERSATION]: first.response.headers?.[CONVERSATION] ?? '' };
      messages.push({ role: 'assistant', content: first.text }, { role: 'user', content: 'what did I ask you to remember?' });
      const second = streamText({ model: model(), messages, headers });
      expect(await second.text).toBe('You asked me to remember: the blue door.');
      expect((await second.response).headers?.[CONVERSATION]).toBe(headers[CONVERSATION]);
      const third = await generateText({ model: model(), prompt: 'what was my first message?', headers });
      expect(third.text).toContain('remember the blue door');
    });

    it.each([
      [
        'a model that no connection offers',
        400,
        'INVALID_REQUEST',
        () => generateText({ model: model(undefined, 'no-such-model'), prompt: 'hello', maxRetries: 0 }),
      ],
      ['a wrong key', 401, 'INVALID_API_KEY', () => generateText({ model: model('wrong'), prompt: 'hello', maxRetries: 0 })],
      [
        'a key without the scope',
        403,
        'MISSING_SCOPE',
        async () =>
          generateText({
            model: model((await new Operator(gateway).createKey({ scopes: ['audio'] })).key),
            prompt: 'hello',
            maxRetries: 0,
          }),
      ],
      [
        'an unknown conversation',
        404,
        'CONVERSATION_NOT_FOUND',
        () =>
          generateText({
            model: model(),
            prompt: 'hello',
            maxRetries: 0,
            headers: { [CONVERSATION]: '01900000-0000-7000-8000-00000000dead' },
          }),
      ],
      ['an account that is limited', 429, 'PROVIDER_RATE_LIMITED', () => faulty('rate_limited')],
      ['an upstream that fails', 502, 'PROVIDER_UNAVAILABLE', () => faulty('server_error')],
    ])('maps %s to an APICallError', async (_what, status, code, send) => {
      const error = await send().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!APICallError.isInstance(error)) throw new Error(`not an APICallError: ${String(error)}`);
      expect(error.statusCode).toBe(status);
      expect(error.isRetryable).toBe(status === 429 || status >= 500);
      expect(error.data).toMatchObject({ error: { code, message: error.message } });
    });

    it('hears of a failure on the way', async () => {
      const tenant = await makeTenant(gateway);
      await onlyAccount(tenant).order({ fault: 'cut', after_chunks: 2 });
      const errors: unknown[] = [];
      const result = streamText({
        model: model(tenant.apiKey),
        prompt: 'count to 5',
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      });
      let text = '';
      for await (const part of result.fullStream) if (part.type === 'text-delta') text += part.text;
      expect(text).toBe('1 2');
      expect(JSON.stringify(errors)).toContain('the connection to the provider failed');
      expect(await result.finishReason).toBe('error');
    });

    it('stops the upstream when it is aborted', async () => {
      const tenant = await makeTenant(gateway, ['openai-compatible']);
      const account = onlyAccount(tenant);
      const leaving = new AbortController();
      await sandbox.paced(20, async () => {
        const result = streamText({
          model: model(tenant.apiKey),
          prompt: 'count to 10000',
          abortSignal: leaving.signal,
          onError: () => undefined,
        });
        for await (const part of result.fullStream) {
          if (part.type === 'text-delta' && part.text === ' 3') leaving.abort();
          if (part.type === 'abort') break;
        }
        await waitFor(async () => (await account.report()).open_streams === 0);
      });
      expect((await account.report()).aborted_connections).toBe(1);
    });

    it('is recorded as interrupted when it is aborted, and the conversation goes on', async () => {
      const leaving = new AbortController();
      const first = await generateText({ model: model(), prompt: 'remember the blue door' });
      const headers = { [CONVERSATION]: first.response.headers?.[CONVERSATION] ?? '' };
      await sandbox.paced(20, async () => {
        const result = streamText({
          model: model(),
          prompt: 'count to 10000',
          headers,
          abortSignal: leaving.signal,
          onError: () => undefined,
        });
        for await (const part of result.textStream) if (part === ' 3') leaving.abort();
        const turns = await waitFor(async () =>
          [await endedTurns(gateway(), headers[CONVERSATION] ?? '')].find(({ length }) => length === 2),
        );
        expect(turns[1]).toMatchObject({ status: 'interrupted', text: expect.stringMatching(/^1 2 3\b/) });
      });
      const { text } = await generateText({ model: model(), prompt: 'what did I ask you to remember?', headers });
      expect(text).toBe('You asked me to remember: the blue door.');
    });

    async function faulty(fault: string) {
      const tenant = await makeTenant(gateway);
      await onlyAccount(tenant).order({ fault });
      return generateText({ model: model(tenant.apiKey), prompt: 'hello', maxRetries: 0 });
    }
  });
});
