import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import OpenAI from 'openai';
import { endedTurns } from '../harness/database.ts';
import { continuing, openaiClient, saying } from '../harness/openai.ts';
import { Operator } from '../harness/operator.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

describe('the official openai client', () => {
  inBothTopologies(
    (gateway) => {
      const sandbox = new Sandbox(gateway);
      const clientOf = (apiKey?: string, maxRetries?: number) =>
        openaiClient(gateway(), { ...(apiKey && { apiKey }), ...(maxRetries && { maxRetries }) });

      describe('throws', () => {
        it('BadRequestError for a model that no connection offers', async () => {
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
          const { key } = await new Operator(gateway).createKey({ scopes: ['audio'] });
          const error = await refusal(clientOf(key).client.chat.completions.create(saying('hello')));
          expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
          expect(error).toMatchObject({ status: 403, code: 'MISSING_SCOPE', param: 'chat' });
        });

        it('NotFoundError for an unknown conversation', async () => {
          const error = await refusal(
            clientOf().client.chat.completions.create(saying('hello'), continuing('01900000-0000-7000-8000-00000000dead')),
          );
          expect(error).toBeInstanceOf(OpenAI.NotFoundError);
          expect(error).toMatchObject({ status: 404, code: 'CONVERSATION_NOT_FOUND' });
        });

        it('ConflictError for a second turn beside a slow one, and the conversation goes on afterwards', async () => {
          const { client } = clientOf();
          await sandbox.paced(20, async () => {
            const { data: slow, response } = await client.chat.completions
              .create({ ...saying('count to 10000'), stream: true })
              .withResponse();
            const conversation = response.headers.get('x-service-conversation-id') ?? '';
            const error = await refusal(client.chat.completions.create(saying('hello'), continuing(conversation)));
            expect(error).toBeInstanceOf(OpenAI.ConflictError);
            expect(error).toMatchObject({ status: 409, code: 'CONVERSATION_BUSY' });
            slow.controller.abort();
            await waitFor(async () => (await endedTurns(gateway(), conversation)).length === 1);
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
          const tenant = await makeTenant(gateway);
          await onlyAccount(tenant).order({ fault: 'rate_limited' });
          const error = await refusal(clientOf(tenant.apiKey).client.chat.completions.create(saying('hello')));
          expect(error).toBeInstanceOf(OpenAI.RateLimitError);
          expect(error).toMatchObject({ status: 429, code: 'PROVIDER_RATE_LIMITED', type: 'rate_limit_error' });
        });

        it('InternalServerError when the upstream fails', async () => {
          const tenant = await makeTenant(gateway);
          await onlyAccount(tenant).order({ fault: 'server_error' });
          const error = await refusal(clientOf(tenant.apiKey).client.chat.completions.create({ ...saying('hello'), stream: true }));
          expect(error).toBeInstanceOf(OpenAI.InternalServerError);
          expect(error).toMatchObject({ status: 502, code: 'PROVIDER_UNAVAILABLE' });
        });

        it('APIError out of a stream that fails on its way, after what came before', async () => {
          const tenant = await makeTenant(gateway);
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
          const tenant = await makeTenant(gateway);
          await onlyAccount(tenant).order({ fault: 'server_error' });
          const { client, sent } = clientOf(tenant.apiKey, 2);
          const answer = await client.chat.completions.create(saying('say back'));
          expect(answer.choices[0]?.message.content).toBe('back');
          expect(sent()).toBe(2);
        });

        it('nothing that will not', async () => {
          const tenant = await makeTenant(gateway);
          await onlyAccount(tenant).order({ fault: 'image_refused' });
          const { client, sent } = clientOf(tenant.apiKey, 2);
          const error = await refusal(client.chat.completions.create(saying('draw a cat')));
          expect(error).toMatchObject({ status: 503, code: 'IMAGE_GENERATION_UNAVAILABLE' });
          expect(error.headers?.get('x-should-retry')).toBe('false');
          expect(sent()).toBe(1);
        });
      });
    },
    { env: { PARLEY_BUSY_MS: '3s' } },
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
