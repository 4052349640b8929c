import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { ADA, startTestSandbox, type TestSandbox, until } from '../testing/test-sandbox.ts';
import { fromPcmBytes, readWav } from './pcm-samples.ts';

const ORDER = { model: 'tts-1', input: 'The blue door is open.', voice: 'alloy' };

describe('speech and transcription', () => {
  let sandbox: TestSandbox;
  let client: OpenAI;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
    client = clientOf(sandbox);
  });
  afterAll(() => sandbox.close());

  function clientOf({ url }: TestSandbox): OpenAI {
    return new OpenAI({ baseURL: `${url}/v1`, apiKey: ADA.api_key ?? '', maxRetries: 0 });
  }
  const say = (over: object = {}) => sandbox.call('POST', '/v1/audio/speech', { ...ORDER, ...over }, ADA.api_key);
  const wav = async (over: object = {}) => Buffer.from(await (await say(over)).arrayBuffer());
  const transcribe = (bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = { model: 'whisper-1' }, key = ADA.api_key) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([bytes]), 'a.wav');
    return fetch(`${sandbox.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key ?? ''}` },
      body: form,
    });
  };
  const order = (fault: object) => sandbox.control('POST', '/accounts/ada/faults', fault);
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { error: { code: string } }).error.code];

  it('speaks with the official client, and knows what it said', async () => {
    const before = await sandbox.report();
    const spoken = await client.audio.speech.create({ ...ORDER, voice: 'echo', response_format: 'wav' });
    expect(spoken.headers.get('content-type')).toBe('audio/wav');
    const bytes = Buffer.from(await spoken.arrayBuffer());
    expect(Number(spoken.headers.get('content-length'))).toBe(bytes.length);
    const sound = readWav(bytes);
    expect(sound?.rate).toBe(16_000);
    // A sentence of six syllables, and not silence.
    expect((sound?.samples.length ?? 0) / 16_000).toBeGreaterThan(0.7);
    expect(Math.max(...(sound?.samples ?? []))).toBeGreaterThan(3_000);
    const { text } = await client.audio.transcriptions.create({ model: 'whisper-1', file: await toFile(bytes, 'speech.wav') });
    expect(text).toBe(ORDER.input);
    const after = await sandbox.report();
    expect([after.speeches - before.speeches, after.transcriptions - before.transcriptions]).toEqual([1, 1]);
  });

  it('speaks the same words alike, and others, other voices and speeds otherwise', async () => {
    const [one, again, other, voice, slow] = [
      await wav(),
      await wav(),
      await wav({ input: 'No.' }),
      await wav({ voice: 'awb' }),
      await wav({ speed: 0.5 }),
    ];
    expect(again).toEqual(one);
    expect(other.length).toBeLessThan(one.length);
    expect(voice).not.toEqual(one);
    expect(slow.length).toBeGreaterThan(one.length * 1.6);
  });

  it('answers raw samples at 24 kHz, and knows them in any file', async () => {
    const response = await say({ response_format: 'pcm' });
    expect(response.headers.get('content-type')).toBe('audio/pcm');
    const raw = Buffer.from(await response.arrayBuffer());
    const samples = readWav(await wav())?.samples.length ?? 0;
    expect(fromPcmBytes(raw)).toHaveLength(Math.round(samples * 1.5));
    await expect((await transcribe(raw)).json()).resolves.toEqual({ text: ORDER.input });
  });

  it('answers transcriptions in the formats it has', async () => {
    const bytes = await wav();
    const text = await transcribe(bytes, { model: 'whisper-1', response_format: 'text' });
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain; charset=utf-8', `${ORDER.input}\n`]);
    const verbose = await transcribe(bytes, { model: 'whisper-1', response_format: 'verbose_json', language: 'en' });
    const duration = (readWav(bytes)?.samples.length ?? 0) / 16_000;
    await expect(verbose.json()).resolves.toMatchObject({ task: 'transcribe', language: 'en', duration, text: ORDER.input });
  });

  it.each([
    ['no input', { input: '' }, 'invalid_request'],
    ['more than 4,096 characters', { input: 'x'.repeat(4_097) }, 'invalid_request'],
    ['an unknown voice', { voice: 'toString' }, 'invalid_request'],
    ['a format it has not', { response_format: 'mp3' }, 'invalid_request'],
    ['too fast a speed', { speed: 5 }, 'invalid_request'],
  ])('refuses %s', async (_name, over, code) => expect(await codeOf(await say(over))).toEqual([400, code]));

  it('takes 4,096 characters', async () => expect((await say({ input: 'Yes.'.padEnd(4_096) })).status).toBe(200));

  it('refuses what it cannot transcribe', async () => {
    const bytes = await wav();
    const changed = Buffer.from(bytes);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(await codeOf(await transcribe(changed))).toEqual([503, 'transcription_unavailable']);
    expect(await codeOf(await transcribe(bytes, {}))).toEqual([400, 'invalid_request']);
    expect(await codeOf(await transcribe(bytes, { model: 'm', response_format: 'srt' }))).toEqual([400, 'invalid_request']);
    expect(await codeOf(await transcribe(bytes, { model: 'm' }, 'sk-unknown'))).toEqual([401, 'invalid_api_key']);
    expect(await codeOf(await sandbox.call('POST', '/v1/audio/transcriptions', {}, ADA.api_key))).toEqual([400, 'invalid_request']);
    expect(await codeOf(await transcribe(Buffer.alloc(25 * 1024 * 1024 + 1)))).toEqual([413, 'request_too_large']);
  });

  it.each([
    ['rate_limited', 429, 'rate_limit_exceeded'],
    ['server_error', 500, 'internal_error'],
    ['session_expired', 401, 'invalid_api_key'],
  ])('meets %s in either', async (fault, status, code) => {
    const bytes = await wav();
    const before = await sandbox.report();
    for (const on of ['speech', 'transcription']) await order({ fault, on });
    expect(await codeOf(await say())).toEqual([status, code]);
    expect(await codeOf(await transcribe(bytes))).toEqual([status, code]);
    await expect(sandbox.report()).resolves.toMatchObject({ speeches: before.speeches, transcriptions: before.transcriptions, faults: [] });
  });

  it('meets faults of an answer in either', async () => {
    const bytes = await wav();
    for (const on of ['speech', 'transcription']) for (const fault of ['garbage', 'wrong_type', 'cut']) await order({ fault, on });
    const garbage = [await say(), await transcribe(bytes)];
    expect(garbage.map((response) => response.headers.get('content-type'))).toEqual(['audio/wav', 'application/json']);
    for (const response of garbage) expect((await response.arrayBuffer()).byteLength).toBe(4_096);
    for (const response of [await say(), await transcribe(bytes)]) {
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await response.text()).toContain('Please sign in');
    }
    const cut = await say();
    expect(cut.status).toBe(200);
    await expect(cut.arrayBuffer()).rejects.toThrow();
    await expect(transcribe(bytes)).rejects.toThrow();
  });

  it('is silent when the fault says so, and notices clients that disconnect', async () => {
    await order({ fault: 'silent', on: 'speech' });
    const before = await sandbox.report();
    const client = new AbortController();
    const waiting = sandbox.call('POST', '/v1/audio/speech', ORDER, ADA.api_key, client.signal);
    waiting.catch(() => undefined);
    await until(async () => (await sandbox.report()).faults.length === 0);
    client.abort();
    await expect(waiting).rejects.toThrow();
    await until(async () => (await sandbox.report()).aborted_connections > before.aborted_connections);
    await expect(sandbox.report()).resolves.toMatchObject({ speeches: before.speeches });
  });

  it('knows after a restart what it has spoken', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-sandbox-'));
    const first = await startTestSandbox({ dataDir });
    const response = await first.call('POST', '/v1/audio/speech', ORDER, ADA.api_key);
    const bytes = Buffer.from(await response.arrayBuffer());
    await first.close();
    const second = await startTestSandbox({ dataDir });
    const { text } = await clientOf(second).audio.transcriptions.create({ model: 'm', file: await toFile(bytes, 'a.wav') });
    expect(text).toBe(ORDER.input);
    await second.close();
    await rm(dataDir, { recursive: true });
  });
});
