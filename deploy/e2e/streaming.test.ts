import { describe, expect, it } from '@jest/globals';
import { ask, CHAT, said, stream } from './harness/chat.ts';
import { type Chunk, readStream, readUntil } from './harness/event-stream.ts';
import { expectRefusal } from './harness/expectations.ts';
import { open } from './harness/http.ts';
import { Sandbox } from './harness/sandbox.ts';
import { makeTenant, onlyAccount } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ORIGIN = 'https://app.example.com';

const delta = (fields: Record<string, unknown>) => ({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
const finish = (reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const ROLE = delta({ role: 'assistant', content: '' });
const COMPLETED = { ...delta({}), lifecycle_event: { type: 'response.completed' } };

/** What differs between the chunks of a stream. */
function body({
  id: _id,
  object: _object,
  created: _created,
  model: _model,
  conversation_id: _conversation,
  message_id: _message,
  ...rest
}: Chunk) {
  return rest;
}

describe('the chat stream', () => {
  inBothTopologies(
    (gateway) => {
      const sandbox = new Sandbox(gateway);

      it('has the frames in their order, and nothing else', async () => {
        const { data, chunks } = await readStream(await stream(gateway(), { say: 'count to 3' }));
        expect(chunks.map(body)).toEqual([
          ROLE,
          delta({ content: '1' }),
          delta({ content: ' 2' }),
          delta({ content: ' 3' }),
          finish('stop'),
          COMPLETED,
        ]);
        expect(data.at(-1)).toBe('[DONE]');
        expect(data).toHaveLength(chunks.length + 1);
      });

      it('carries the same head in every chunk, and the ids in the first only', async () => {
        const response = await stream(gateway(), { say: 'count to 3' });
        const { chunks } = await readStream(response);
        const [first, ...others] = chunks;
        expect(first?.conversation_id).toMatch(UUID);
        expect(first?.message_id).toMatch(UUID);
        expect(first?.conversation_id).toBe(response.headers.get('x-service-conversation-id'));
        expect(first).toMatchObject({ id: `chatcmpl-${first?.message_id}`, object: 'chat.completion.chunk', model: 'sandbox-1' });
        expect(Math.abs((first?.created ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
        for (const { id, object, created, model, conversation_id, message_id } of others) {
          expect({ id, object, created, model }).toEqual({
            id: first?.id,
            object: first?.object,
            created: first?.created,
            model: first?.model,
          });
          expect([conversation_id, message_id]).toEqual([undefined, undefined]);
        }
      });

      it('has the headers that proxies and browsers need, and no compression', async () => {
        const response = await stream(gateway(), {
          headers: { 'accept-encoding': 'gzip, br', origin: ORIGIN, 'x-request-id': 'my-stream' },
        });
        const { headers } = response;
        expect(response.status).toBe(200);
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache, no-transform',
          'x-accel-buffering': 'no',
          'x-request-id': 'my-stream',
          'x-service-conversation-id': expect.stringMatching(UUID),
          'access-control-allow-origin': '*',
          'access-control-expose-headers': expect.stringContaining('X-Service-Conversation-Id'),
        });
        expect(headers.get('content-encoding')).toBeNull();
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        await response.text();
      });

      it.each([
        ['asked for', true],
        ['not asked for', false],
      ])('ends with a usage chunk when it is %s', async (_name, include_usage) => {
        const { chunks } = await readStream(await stream(gateway(), { say: 'count to 3', body: { stream_options: { include_usage } } }));
        const usage = chunks.slice(chunks.findIndex((chunk) => chunk.lifecycle_event) + 1).map(body);
        const counts = { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number), total_tokens: expect.any(Number) };
        expect(usage).toEqual(include_usage ? [{ choices: [], usage: counts }] : []);
        expect(chunks.filter(({ choices }) => choices.length === 0)).toHaveLength(usage.length);
      });

      it('counts the same tokens streamed as whole', async () => {
        const { chunks } = await readStream(
          await stream(gateway(), { say: 'count to 30', body: { stream_options: { include_usage: true } } }),
        );
        expect(chunks.at(-1)?.usage).toEqual(await usageOf('count to 30'));
      });

      it('carries any text unharmed', async () => {
        const text = 'caf\u00e9 \ud83d\udeaa "quoted" \\ back\nnew line\r\n\u2028 data: [DONE]';
        expect((await readStream(await stream(gateway(), { say: `say ${text}` }))).text).toBe(text);
      });

      it('streams as the upstream speaks, before it has finished', async () => {
        await sandbox.paced(20, async () => {
          const { raw, reader } = await readUntil(await stream(gateway(), { say: 'count to 10000' }), (read) => read.includes('" 3"'));
          expect(raw).not.toContain('[DONE]');
          await reader.cancel();
        });
      });

      it('keeps a silent stream alive with lines that are no events', async () => {
        const tenant = await makeTenant(gateway);
        await onlyAccount(tenant).order({ fault: 'half_open', after_chunks: 2 });
        const response = await stream(gateway(), { key: tenant.apiKey, say: 'count to 5' });
        const { raw, reader } = await readUntil(response, (read) => read.split(': ping\n\n').length > 3);
        expect(raw).toMatch(/\n\n(: ping\n\n){3}$/);
        await reader.cancel();
      });

      it('is understood with keep-alives between its events', async () => {
        const streamed = await sandbox.paced(500, async () => readStream(await stream(gateway(), { say: 'count to 3' })));
        expect(streamed.raw).toContain(': ping\n\n');
        expect(streamed.chunks.map(body)).toEqual([
          ROLE,
          delta({ content: '1' }),
          delta({ content: ' 2' }),
          delta({ content: ' 3' }),
          finish('stop'),
          COMPLETED,
        ]);
      });

      it('says a failure twice, after what came before, and ends', async () => {
        const tenant = await makeTenant(gateway);
        await onlyAccount(tenant).order({ fault: 'error_mid_stream', after_chunks: 2 });
        const streamed = await sandbox.paced(20, async () => {
          const response = await stream(gateway(), { key: tenant.apiKey, say: 'count to 5', headers: { 'x-request-id': 'failing' } });
          return readStream(response);
        });
        const error = { code: 'PROVIDER_UNAVAILABLE', message: expect.any(String), retryable: true };
        expect(streamed.chunks.map(body)).toEqual([
          ROLE,
          delta({ content: '1' }),
          delta({ content: ' 2' }),
          { ...finish('error'), lifecycle_event: { type: 'response.failed', error } },
        ]);
        expect(streamed.error).toEqual({ error: { ...error, type: 'upstream_error', request_id: 'failing' } });
        expect(streamed.data.at(-2)).toBe(JSON.stringify(streamed.error));
        expect(streamed.data.at(-1)).toBe('[DONE]');
      });

      it('loses nothing of what came together with the failure', async () => {
        const tenant = await makeTenant(gateway, ['openai-compatible']);
        await onlyAccount(tenant).order({ fault: 'error_mid_stream', after_chunks: 2 });
        const { text, error } = await readStream(await stream(gateway(), { key: tenant.apiKey, say: 'count to 5' }));
        expect(error).toBeDefined();
        expect(text).toBe('1 2');
      });

      it('refuses with a real status what the upstream has not accepted', async () => {
        const tenant = await makeTenant(gateway);
        await onlyAccount(tenant).order({ fault: 'server_error' });
        const response = await stream(gateway(), { key: tenant.apiKey });
        expectRefusal(
          { status: response.status, headers: response.headers, json: await response.json() },
          { status: 502, code: 'PROVIDER_UNAVAILABLE' },
        );
      });

      it('gives the first result again for the same Idempotency-Key, and refuses another body', async () => {
        const idempotent = (say: string) =>
          stream(gateway(), { say, headers: { 'idempotency-key': `key of ${gateway().pid}`.replaceAll(' ', '-') } });
        const first = await readStream(await idempotent('count to 3'));
        const second = await readStream(await idempotent('count to 3'));
        expect(second.text).toBe('1 2 3');
        expect(second.chunks[0]?.message_id).toBe(first.chunks[0]?.message_id);
        const other = await idempotent('count to 4');
        expectRefusal(
          { status: other.status, headers: other.headers, json: await other.json() },
          { status: 422, code: 'VALIDATION_ERROR' },
        );
      });

      it('answers the questions browsers ask first', async () => {
        const asked = {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, x-service-conversation-id',
        };
        const preflight = await open(gateway(), 'OPTIONS', CHAT, { headers: asked });
        expect(preflight.status).toBe(204);
        expect(Object.fromEntries(preflight.headers)).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': expect.stringContaining('POST'),
          'access-control-allow-headers': asked['access-control-request-headers'],
        });
        const onOperatorSurface = await open(gateway(), 'OPTIONS', '/admin/v1/keys', { headers: asked });
        expect(onOperatorSurface.headers.get('access-control-allow-origin')).toBeNull();
      });

      it('answers HEAD like GET without a body', async () => {
        const response = await open(gateway(), 'HEAD', '/v1/models', { key: gateway().apiKey, headers: { origin: ORIGIN } });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(await response.text()).toBe('');
      });

      async function usageOf(say: string): Promise<unknown> {
        const answer = await ask(gateway(), { say });
        said(answer);
        return (answer.json as { usage: unknown }).usage;
      }
    },
    { env: { PARLEY_PING_INTERVAL: '200ms' } },
  );
});
