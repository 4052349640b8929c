import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CreateJobRequest, type Job } from '@parley/protos/audio/v1/audio';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { type FakeAudio } from './fake-audio.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';

type Json = Record<string, unknown>;
const JOBS = '/v1/audio/generations';
const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
const NEW = { input: 'hello', voice: 'slt' };

describe('speech jobs', () => {
  let fixture: TestFixture;
  let audio: FakeAudio;
  beforeAll(async () => {
    fixture = await startFixture();
    audio = fixture.services.audio;
  });
  beforeEach(() => {
    audio.kept.clear();
    audio.calls.length = 0;
    audio.failure = undefined;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const send = <T = Json>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, key = API_KEY) =>
    call<T>(`${fixture.edge.url}${path}`, { method, key, headers, ...(body !== undefined && { body }) });
  const create = <T = Json>(body: unknown, headers: Record<string, string> = {}) => send<T>('POST', JOBS, body, headers);
  const keep = (change: Partial<Job> = {}) => audio.keep(change, DEFAULT_WORKSPACE_ID);

  it('are accepted with everything there is to know of them', async () => {
    const { status, body } = await create(NEW);
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'queued',
      provider: 'flite',
      voice: 'slt',
      model: null,
      language: null,
      response_format: 'wav',
      input_characters: 5,
      progress: 0,
      output_mime_type: null,
      output_size_bytes: null,
      duration_ms: null,
      content_url: `${JOBS}/${String(body.id)}/content`,
      retry_of: null,
      error: null,
      created_at: '2025-01-31T12:00:00.000Z',
      updated_at: '2025-01-31T12:00:00.000Z',
      expires_at: '2025-02-01T12:00:00.000Z',
    });
  });

  it('carry to the service what was asked for, and whatever else was sent is ignored', async () => {
    const options = { rate: 1.5, deep: { a: [1] } };
    const full = { ...NEW, model: 'm', language: 'en-GB', response_format: 'pcm', provider: 'flite', provider_options: options };
    expect((await create({ ...full, tempo: 7, __proto__x: 1 }, { 'idempotency-key': 'k1' })).status).toBe(202);
    const { requestDigest, ...request } = audio.calls.at(-1)?.request as CreateJobRequest;
    expect(request).toEqual({
      ...NEW,
      model: 'm',
      language: 'en-GB',
      responseFormat: 'pcm',
      provider: 'flite',
      providerOptions: JSON.stringify(options),
      idempotencyKey: 'k1',
    });
    expect(requestDigest).toHaveLength(32);
  });

  it.each<[number | string, string, unknown, string]>([
    [68, '10,001 characters', { ...NEW, input: 'x'.repeat(10_001) }, 'input'],
    [68, 'nothing to say', { ...NEW, input: '' }, 'input'],
    [68, 'blanks only', { ...NEW, input: ' \n ' }, 'input'],
    ['', 'no input', { voice: 'slt' }, 'input'],
    ['', 'an input that is no text', { ...NEW, input: 7 }, 'input'],
    [69, 'no voice', { input: 'hello' }, 'voice'],
    ['', 'an empty voice', { ...NEW, voice: '' }, 'voice'],
    ['', 'a voice that is no text', { ...NEW, voice: { id: 'slt' } }, 'voice'],
    [75, 'a format that there is not', { ...NEW, response_format: 'xml' }, 'response_format'],
    ['', 'a language that is none', { ...NEW, language: 'plain english' }, 'language'],
    ['', 'options that are no object', { ...NEW, provider_options: [1] }, 'provider_options'],
    ['', 'a provider that is no name', { ...NEW, provider: '../x' }, 'provider'],
  ])('%s: are refused with %s', async (_row, _what, body, param) => {
    const answer = await create<ErrorBody>(body);
    expect([answer.status, answer.body.error]).toMatchObject([422, { code: 'VALIDATION_ERROR', param, retryable: false }]);
    expect(audio.kept.size).toBe(0);
  });

  it('68: may have 10,000 characters, however many bytes each has', async () => {
    expect((await create({ ...NEW, input: '𝄞'.repeat(10_000) })).status).toBe(202);
    expect((await create({ ...NEW, input: '𝄞'.repeat(10_001) })).status).toBe(422);
  });

  it('take null for absent', async () => {
    const nothing = { model: null, language: null, response_format: null, provider: null, provider_options: null };
    expect((await create({ ...NEW, ...nothing })).body).toMatchObject({ status: 'queued', response_format: 'wav' });
  });

  it('70: are refused with a key of 256 characters, or one that is none', async () => {
    for (const key of ['k'.repeat(256), 'a b']) {
      const { status, body } = await create<ErrorBody>(NEW, { 'idempotency-key': key });
      expect([status, body.error]).toMatchObject([422, { code: 'VALIDATION_ERROR', param: 'Idempotency-Key' }]);
    }
    expect((await create(NEW, { 'idempotency-key': 'k'.repeat(255) })).status).toBe(202);
  });

  it('71: are the same one for the same key and body, spelled out or not, and refused for another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await create(NEW, headers);
    for (const again of [NEW, { ...NEW, response_format: 'wav', model: null }])
      expect((await create(again, headers)).body).toEqual(first.body);
    for (const other of [
      { ...NEW, input: 'bye' },
      { ...NEW, voice: 'awb' },
      { ...NEW, provider_options: { a: 1 } },
    ]) {
      const { status, body } = await create<ErrorBody>(other, headers);
      expect([status, body.error]).toMatchObject([422, { code: 'VALIDATION_ERROR', param: 'Idempotency-Key' }]);
    }
  });

  it.each([
    ['VOICE_NOT_FOUND', 422],
    ['AUDIO_PROVIDER_NOT_FOUND', 404],
    ['AUDIO_QUOTA_EXCEEDED', 429],
  ] as const)('show the service’s %s', async (condition, status) => {
    audio.failure = new GatewayError(condition, 'no');
    const answer = await create<ErrorBody>(NEW);
    expect([answer.status, answer.body.error.code]).toEqual([status, condition]);
  });

  it('show what they became', async () => {
    const done = keep({ status: 'completed', outputMimeType: 'audio/wav', outputSizeBytes: 10, durationMs: 900, progress: 100 });
    expect((await send('GET', `${JOBS}/${done.id}`)).body).toMatchObject({
      status: 'completed',
      output_mime_type: 'audio/wav',
      output_size_bytes: 10,
      duration_ms: 900,
      progress: 100,
      error: null,
    });
    const failed = keep({ status: 'failed', error: { condition: 'PROVIDER_BAD_ANSWER', message: 'no sound' } });
    expect((await send('GET', `${JOBS}/${failed.id}`)).body).toMatchObject({
      error: { code: 'PROVIDER_UNAVAILABLE', message: 'no sound', type: 'upstream_error', retryable: true },
      output_mime_type: null,
    });
  });

  it('are listed newest first, by status, in pages', async () => {
    const ids = ['queued', 'failed', 'queued'].map((status) => keep({ status }).id);
    const all = await send<Json[]>('GET', JOBS);
    expect(all.body.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(all.headers.get('x-total-count')).toBe('3');
    const page = await send<Json[]>('GET', `${JOBS}?status=queued&limit=1&offset=1`);
    expect(page.body.map(({ id }) => id)).toEqual([ids[0]]);
    expect(page.headers.get('x-total-count')).toBe('2');
    expect(page.headers.get('link')).toContain(`<${JOBS}?status=queued&limit=1&offset=0>; rel="prev"`);
  });

  it.each(['limit=0', 'limit=201', 'offset=-1', 'limit=1&limit=2', 'status=done'])('are not listed for %s', async (query) => {
    const { status, body } = await send<ErrorBody>('GET', `${JOBS}?${query}`);
    expect([status, body.error]).toMatchObject([422, { code: 'VALIDATION_ERROR', param: query.split('=')[0] }]);
  });

  it('are cancelled once', async () => {
    const { id } = keep({ status: 'processing' });
    expect(await send('POST', `${JOBS}/${id}/cancel`)).toMatchObject({ status: 200, body: { id, status: 'cancelled' } });
    const again = await send<ErrorBody>('POST', `${JOBS}/${id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'AUDIO_JOB_NOT_CANCELLABLE']);
  });

  it('are repeated as new ones when they have failed, and only then', async () => {
    const { id } = keep({ status: 'failed' });
    const { status, body } = await send('POST', `${JOBS}/${id}/retry`);
    expect([status, body]).toMatchObject([202, { status: 'queued', retry_of: id }]);
    expect(body.id).not.toBe(id);
    expect((await send('GET', `${JOBS}/${id}`)).body.status).toBe('failed');
    expect((await send('POST', `${JOBS}/${String(body.id)}/retry`)).status).toBe(422);
  });

  const OF_ONE = [
    ['GET', ''],
    ['GET', '/content'],
    ['POST', '/cancel'],
    ['POST', '/retry'],
  ] as const;

  it.each(OF_ONE)('72: %s %s finds none that is unknown or of another workspace', async (method, path) => {
    const { id: workspace_id } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'other' }, 201);
    const { id: user_id } = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: 'Ada', workspace_id }, 201);
    const { key } = await createKey(fixture, { workspace_id, user_id, scopes: ['audio'] });
    const { id } = keep({ status: 'failed' });
    for (const [asked, by] of [
      [id, key],
      [UNKNOWN, API_KEY],
    ] as const) {
      const answer = await send<ErrorBody>(method, `${JOBS}/${asked}${path}`, undefined, {}, by);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'AUDIO_JOB_NOT_FOUND']);
    }
    expect((await send<Json[]>('GET', JOBS, undefined, {}, key)).body).toEqual([]);
    expect(audio.kept.size).toBe(1);
  });

  it.each(OF_ONE)('%s %s refuses an id that is none', async (method, path) => {
    for (const id of ['1', 'a%00b', '..%2f..%2fadmin']) {
      const { status, body } = await send<ErrorBody>(method, `${JOBS}/${id}${path}`);
      expect([status, body.error.param]).toEqual([422, 'job_id']);
    }
  });
});
