import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Job } from '@parley/protos/audio/v1/audio';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { BlobListener } from './blob-listener.ts';
import { type FakeAudio } from './fake-audio.ts';
import { API_KEY, bearer, type ErrorBody, type TestFixture, startFixture } from './harness.ts';

const JOBS = '/v1/audio/generations';

describe('the audio of speech jobs', () => {
  let fixture: TestFixture;
  let audio: FakeAudio;
  let blobs: BlobListener;
  beforeAll(async () => {
    fixture = await startFixture();
    audio = fixture.services.audio;
  });
  beforeEach(async () => {
    audio.kept.clear();
    blobs = await BlobListener.start();
    blobs.type = 'audio/wav';
    audio.listener = blobs.url;
  });
  afterEach(async () => blobs[Symbol.asyncDispose]());
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const content = (change: Partial<Job>, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${fixture.edge.url}${JOBS}/${audio.keep(change, DEFAULT_WORKSPACE_ID).id}/content`, {
      method,
      headers: { ...bearer(API_KEY), ...headers },
    });

  it('is given whole, in parts, by HEAD, and not again to who has it', async () => {
    const whole = await content({ status: 'completed' });
    expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([200, 'audio/wav', '0123456789']);
    const part = await content({ status: 'completed' }, { range: 'bytes=2-4' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    const head = await content({ status: 'completed' }, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect((await content({ status: 'completed' }, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
    expect(blobs.asked[0]?.url).toMatch(/^\/content\/[0-9a-f-]{36}\?ticket=secret$/);
    expect(blobs.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('73: is refused for a range behind the end', async () => {
    const answer = await content({ status: 'completed' }, { range: 'bytes=9999999-' });
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, answer.headers.get('content-range'), error.code]).toEqual([416, 'bytes */10', 'range_not_satisfiable']);
  });

  it.each([
    [{ status: 'processing' }, 409, 'AUDIO_NOT_READY'],
    [{ status: 'completed', expiresAt: new Date(0) }, 410, 'AUDIO_EXPIRED'],
  ])('is not given where it is not there: %j', async (change, status, code) => {
    const answer = await content(change);
    expect([answer.status, ((await answer.json()) as ErrorBody).error.code]).toEqual([status, code]);
  });

  it('is answered with 503 when the listener cannot be reached, which names the service', async () => {
    await blobs[Symbol.asyncDispose]();
    const answer = await content({ status: 'completed' });
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, error.code, error.message]).toEqual([503, 'SERVICE_UNAVAILABLE', 'the audio service cannot be reached']);
  });
});
