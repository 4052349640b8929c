import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { type Call } from '@parley/kit/rpc/call';
import { serve } from '@parley/kit/rpc/serve';
import { waitFor } from '@parley/kit/testing/wait-for';
import { waitUntilStable } from '@parley/kit/testing/wait-until-stable';
import { AudioServiceService, type SpeakRequest, type SpeakResponse } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { connect } from 'node:net';
import OpenAI from 'openai';
import { FakeAudio } from './fake-audio.ts';
import { API_KEY, bearer, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { head as requestHead } from './raw-http.ts';

const SPEECH = '/v1/audio/speech';
const SAY = { model: 'tts-1', input: 'hello', voice: 'alloy' };
const PIECE = Buffer.alloc(64 * 1_024, 'x');

const head = (sizeBytes?: number): SpeakResponse => ({
  frame: { $case: 'head', value: { mimeType: 'audio/wav', sizeBytes, durationMs: 1_000 } },
});
const chunk = (value: Buffer): SpeakResponse => ({ frame: { $case: 'chunk', value } });

describe.each(['in-process', '127.0.0.1:0'] as const)('speech at once, from a service at %s', (listen) => {
  let fixture: TestFixture;
  let audio: FakeAudio;
  let stop: () => Promise<void>;
  const spoken = new FakeAudio().speech;
  beforeAll(async () => {
    audio = new FakeAudio();
    const endpoint = await serve(AudioServiceService, audio.handlers(), listen, createLogger({ service: 'fake', level: 'silent' }));
    stop = () => endpoint.close();
    fixture = await startFixture({ audioAddress: endpoint.address });
  });
  beforeEach(() => {
    audio.calls.length = 0;
    audio.failure = undefined;
    audio.speech = spoken;
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    await stop();
  });

  const say = (body: unknown = SAY) =>
    fetch(fixture.edge.url + SPEECH, {
      method: 'POST',
      headers: { ...bearer(API_KEY), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const asked = () => audio.calls.at(-1)?.request as SpeakRequest;

  it('answers the bytes with what they are', async () => {
    const answer = await say();
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'audio/wav', 'RIFFhello']);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(asked()).toMatchObject({ input: 'hello', voice: 'alloy', model: 'tts-1', responseFormat: 'mp3', provider: '' });
  });

  it('announces the length where it is known', async () => {
    audio.speech = async function* () {
      yield head(4);
      yield chunk(Buffer.from('RIFF'));
    };
    const answer = await say();
    expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['4', 'RIFF']);
  });

  it('works with the official client, unchanged', async () => {
    const client = new OpenAI({ baseURL: `${fixture.edge.url}/v1`, apiKey: API_KEY, maxRetries: 0 });
    const answer = await client.audio.speech.create({ ...SAY, response_format: 'wav', speed: 1.5, instructions: 'whisper' });
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe('RIFFhello');
    expect(asked()).toMatchObject({ responseFormat: 'wav', speed: 1.5 });
    await client.audio.speech.create({ ...SAY, voice: { id: 'slt' } });
    expect(asked().voice).toBe('slt');
    await expect(client.audio.speech.create({ ...SAY, input: '' })).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
  });

  it.each([
    ['no input', { voice: 'slt' }, 'input'],
    ['nothing to say', { ...SAY, input: ' ' }, 'input'],
    ['no voice', { input: 'hello' }, 'voice'],
    ['a voice that is none', { ...SAY, voice: 7 }, 'voice'],
    ['a format that there is not', { ...SAY, response_format: 'xml' }, 'response_format'],
    ['a speed of 5', { ...SAY, speed: 5 }, 'speed'],
    ['a speed that is no number', { ...SAY, speed: '1' }, 'speed'],
  ])('refuses %s', async (_what, body, param) => {
    const answer = await say(body);
    expect([answer.status, ((await answer.json()) as ErrorBody).error]).toMatchObject([422, { code: 'VALIDATION_ERROR', param }]);
    expect(audio.calls).toEqual([]);
  });

  it('points to jobs with more than 4,096 characters', async () => {
    expect((await say({ ...SAY, input: 'x'.repeat(4_096) })).status).toBe(200);
    const { error } = (await (await say({ ...SAY, input: 'x'.repeat(4_097) })).json()) as ErrorBody;
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'input', message: expect.stringContaining('/v1/audio/generations') });
  });

  it('refuses to answer in events', async () => {
    const answer = await say({ ...SAY, stream_format: 'sse' });
    expect([answer.status, ((await answer.json()) as ErrorBody).error]).toMatchObject([
      400,
      { code: 'UNSUPPORTED_PARAMETER', param: 'stream_format' },
    ]);
  });

  it.each([false, true])('answers what fails before the first byte with its code; a head was there: %s', async (hasHead) => {
    audio.speech = async function* () {
      if (hasHead) yield head();
      throw new GatewayError('VOICE_NOT_FOUND', 'no such voice', { param: 'voice' });
    };
    const answer = await say();
    expect([answer.status, ((await answer.json()) as ErrorBody).error]).toMatchObject([422, { code: 'VOICE_NOT_FOUND', param: 'voice' }]);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it('breaks off where the service breaks off, so that no client takes half of it for all', async () => {
    let fail: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (fail = resolve));
    audio.speech = async function* () {
      yield head();
      yield chunk(Buffer.from('RIFF'));
      await begun;
      throw new GatewayError('PROVIDER_TIMEOUT', 'late');
    };
    const answer = await say();
    expect(answer.status).toBe(200);
    fail();
    await expect(answer.text()).rejects.toThrow();
    await waitFor(() => fixture.lines.some(({ operation, code }) => operation === 'createSpeech' && code === 'PROVIDER_TIMEOUT'));
  });

  it('takes no more from the service than the client takes, and stops it when the client leaves', async () => {
    let sent = 0;
    let call: Call | undefined;
    audio.speech = async function* (_request, its) {
      call = its;
      yield head();
      for (; sent < 100 * 1_024 * 1_024; sent += PIECE.length) yield chunk(PIECE);
    };
    const body = JSON.stringify(SAY);
    const client = connect({ host: '127.0.0.1', port: fixture.edge.port });
    client.on('error', () => undefined);
    const headers = ['Host: h', `Authorization: Bearer ${API_KEY}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    client.write(requestHead(`POST ${SPEECH}`, ...headers) + body);
    client.once('data', () => client.pause());
    await waitUntilStable(() => sent);
    // What is under way is in the buffers of a few sockets.
    expect(sent).toBeLessThan(32 * 1_024 * 1_024);
    expect(call?.abortReason).toBeUndefined();
    client.destroy();
    await waitFor(() => call?.abortReason?.condition === 'CANCELLED');
  });

  it('stops a service that is silent when the client leaves', async () => {
    let call: Call | undefined;
    audio.speech = async function* (_request, its) {
      call = its;
      yield head();
      await new Promise((resolve) => its.signal.addEventListener('abort', resolve));
    };
    const leaving = new AbortController();
    const left = fetch(fixture.edge.url + SPEECH, {
      method: 'POST',
      headers: { ...bearer(API_KEY), 'content-type': 'application/json' },
      body: JSON.stringify(SAY),
      signal: leaving.signal,
    });
    await waitFor(() => call);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await waitFor(() => call?.abortReason?.condition === 'CANCELLED');
  });
});
