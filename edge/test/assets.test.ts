import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { message } from './fake-conversations.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';

type Json = Record<string, unknown>;

describe('assets', () => {
  let fixture: TestFixture;
  let url: string;
  beforeAll(async () => {
    fixture = await startFixture();
    url = fixture.edge.url;
  });
  beforeEach(() => {
    const { assets } = fixture.services;
    assets.kept.clear();
    assets.calls.length = 0;
    assets.failure = undefined;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const get = <T = Json>(path: string, key = API_KEY) => call<T>(`${url}${path}`, { key });
  const keep = (change: Parameters<TestFixture['services']['assets']['keep']>[0] = {}) =>
    fixture.services.assets.keep(change, DEFAULT_WORKSPACE_ID);
  const methods = () => fixture.services.assets.calls.map(({ method }) => method);

  it('shows one that is ready with its download path and its measures', async () => {
    const { id } = keep({ status: 'ready', sizeBytes: 10, width: 3, height: 2 });
    const { status, body } = await get(`/v1/assets/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      asset_type: 'image',
      file_name: 'cat.png',
      mime_type: 'image/png',
      size_bytes: 10,
      status: 'ready',
      download_url: `/v1/assets/${id}/download`,
      retry_count: 0,
      width: 3,
      height: 2,
      created_at: '2025-01-31T12:00:00.000Z',
    });
  });

  it('shows no download path before it is ready, and the code of what failed', async () => {
    const { id } = keep({ status: 'failed', errorCondition: 'PROVIDER_BAD_ANSWER', errorMessage: 'not a picture' });
    const failed = (await get(`/v1/assets/${id}`)).body;
    expect(failed).toMatchObject({ status: 'failed', error_code: 'PROVIDER_UNAVAILABLE', error_message: 'not a picture' });
    const open = (await get(`/v1/assets/${keep({ status: 'validating' }).id}`)).body;
    for (const body of [failed, open]) expect(body).not.toHaveProperty('download_url');
    expect(open).not.toHaveProperty('error_code');
  });

  it('retries a failed one, and refuses any other', async () => {
    const { id } = keep({ status: 'failed', errorCondition: 'TIMEOUT', errorMessage: 'late' });
    const retried = await call<Json>(`${url}/v1/assets/${id}/retry`, { method: 'POST', key: API_KEY });
    expect([retried.status, retried.body['status'], retried.body['retry_count']]).toEqual([200, 'discovered', 1]);
    const ready = keep({ status: 'ready' });
    const refused = await call<ErrorBody>(`${url}/v1/assets/${ready.id}/retry`, { method: 'POST', key: API_KEY });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ASSET_NOT_RETRYABLE']);
    expect(refused.headers.get('x-should-retry')).toBe('false');
  });

  it.each([
    ['GET', ''],
    ['GET', '/download'],
    ['POST', '/retry'],
  ])('%s %s is closed to other workspaces, to keys without the scope, to unknown and to malformed ids', async (method, suffix) => {
    const ask = async (id: string, key = API_KEY) => {
      const { status, body } = await call<ErrorBody>(`${url}/v1/assets/${id}${suffix}`, { method, key });
      return [status, body.error.code, body.error.param];
    };
    const foreign = fixture.services.assets.keep({ status: 'ready' }, uuidv7());
    const own = keep({ status: 'ready' });
    expect(await ask(foreign.id)).toEqual([403, 'ASSET_ACCESS_DENIED', undefined]);
    expect(await ask(uuidv7())).toEqual([404, 'ASSET_NOT_FOUND', undefined]);
    expect(await ask('a%00b')).toEqual([422, 'VALIDATION_ERROR', 'asset_id']);
    const { key } = await createKey(fixture, { scopes: ['chat'] });
    expect(await ask(own.id, key)).toEqual([403, 'MISSING_SCOPE', 'conversations']);
  });

  it('are retried only so often, and read as often as a client likes', async () => {
    const policy = { points: 1, seconds: 60, text: '1 per 1 minute' };
    await using strict = await startFixture({ throttle: { rate_limit: policy, upload_rate_limit: policy, tts_rate_limit: policy } });
    const { id } = strict.services.assets.keep({ status: 'failed' }, DEFAULT_WORKSPACE_ID);
    const ask = async (method: string, suffix: string) => {
      await call(`${strict.edge.url}/v1/assets/${id}${suffix}`, { method, key: API_KEY });
      return (await call(`${strict.edge.url}/v1/assets/${id}${suffix}`, { method, key: API_KEY })).status;
    };
    expect([await ask('GET', ''), await ask('POST', '/retry')]).toEqual([200, 429]);
  });

  it('of a conversation are a page of a list', async () => {
    const conversationId = uuidv7();
    const ids = ['a', 'b', 'c'].map((fileName) => keep({ conversationId, fileName }).id);
    keep({ conversationId: uuidv7() });
    const path = `/v1/conversations/${conversationId}/assets`;
    const page = await get<Json[]>(`${path}?limit=2&offset=1`);
    expect(page.body.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(page.headers.get('x-total-count')).toBe('3');
    expect(page.headers.get('link')).toContain(`<${path}?limit=2&offset=0>; rel="first"`);
    expect((await get<ErrorBody>(`${path}?limit=201`)).body.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'limit' });
    fixture.services.assets.failure = new GatewayError('CONVERSATION_ACCESS_DENIED', 'the conversation is not yours');
    expect((await get<ErrorBody>(path)).status).toBe(403);
  });

  describe('of messages', () => {
    const keepMessages = async (...changes: Parameters<typeof message>[0][]) => {
      const created = await call<{ id: string }>(`${url}/v1/conversations`, { method: 'POST', key: API_KEY, body: {} });
      const messages = changes.map(message);
      fixture.services.conversations.kept.get(created.body.id)?.messages.push(...messages);
      return { conversationId: created.body.id, ids: messages.map(({ id }) => id) };
    };

    it('cost nothing where there are none', async () => {
      const { conversationId, ids } = await keepMessages({});
      expect((await get(`/v1/messages/${ids[0]}`)).body).toMatchObject({ assets: [], pending_operations: 0 });
      await get(`/v1/conversations/${conversationId}/messages`);
      expect(methods()).toEqual([]);
    });

    it('are shown as they stand, with how many are still on their way', async () => {
      const [ready, open] = [keep({ status: 'ready' }), keep({ status: 'downloading' })];
      const unheard = uuidv7();
      const assetIds = [ready.id, open.id, unheard];
      const { ids } = await keepMessages({ status: 'processing_assets', assetIds });
      const { body } = await get<{ status: string; assets: Json[]; pending_operations: number }>(`/v1/messages/${ids[0]}`);
      expect([body.status, body.pending_operations]).toEqual(['processing_assets', 2]);
      expect(body.assets.map(({ id, status }) => [id, status])).toEqual([
        [ready.id, 'ready'],
        [open.id, 'downloading'],
      ]);
    });

    it('complete a message of which the record has not heard yet', async () => {
      const updatedAt = new Date('2025-02-01T00:00:00.000Z');
      const assetIds = [keep({ status: 'ready', updatedAt }).id, keep({ status: 'failed' }).id];
      const { ids } = await keepMessages({ status: 'processing_assets', completedAt: undefined, assetIds });
      expect((await get(`/v1/messages/${ids[0]}`)).body).toMatchObject({
        status: 'completed',
        pending_operations: 0,
        completed_at: '2025-02-01T00:00:00.000Z',
      });
    });

    it('do not change what a failed turn is', async () => {
      const { ids } = await keepMessages({ status: 'failed', assetIds: [keep({ status: 'downloading' }).id] });
      expect((await get(`/v1/messages/${ids[0]}`)).body).toMatchObject({ status: 'failed', pending_operations: 1 });
    });

    it('are asked for in batches, each asset once', async () => {
      const many = Array.from({ length: 250 }, () => keep({ status: 'ready' }).id);
      const { conversationId } = await keepMessages({ assetIds: many }, { assetIds: many.slice(0, 1) });
      const { body } = await get<{ assets: Json[] }[]>(`/v1/conversations/${conversationId}/messages`);
      expect(body.map(({ assets }) => assets.length)).toEqual([250, 1]);
      const asked = fixture.services.assets.calls.map(({ request }) => (request as { ids: string[] }).ids.length);
      expect(asked).toEqual([200, 50]);
    });

    it('are in an export', async () => {
      const { conversationId } = await keepMessages({ assetIds: [keep({ status: 'ready' }).id] });
      const keys = await operate<{ id: string; name: string }[]>(fixture, 'GET', 'keys');
      const keyId = fixture.services.conversations.kept.get(conversationId)?.ownerKeyId;
      expect(keys.map(({ id }) => id)).toContain(keyId);
      const { messages } = await operate<{ messages: { assets: Json[] }[] }>(
        fixture,
        'GET',
        `conversations/${conversationId}/export?key_id=${keyId}`,
      );
      expect(messages[0]?.assets).toHaveLength(1);
    });
  });
});
