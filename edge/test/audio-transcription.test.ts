import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { serve } from '@parley/kit/rpc/serve';
import { waitFor } from '@parley/kit/testing/wait-for';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import OpenAI, { toFile } from 'openai';
import { FakeAudio } from './fake-audio.ts';
import { fieldPart, filePart, type Part, rawForm } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey } from './operator.ts';
import { UploadClient } from './upload-client.ts';

const PATH = '/v1/audio/transcriptions';
const LIMIT = 25 * 1_024 * 1_024;
const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
const WAV = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(200_000, 7)]);

describe.each(['in-process', '127.0.0.1:0'] as const)('transcriptions by a service at %s', (listen) => {
  let fixture: TestFixture;
  let audio: FakeAudio;
  let client: UploadClient;
  let conversation: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    audio = new FakeAudio();
    const endpoint = await serve(AudioServiceService, audio.handlers(), listen, createLogger({ service: 'fake', level: 'silent' }));
    stop = () => endpoint.close();
    fixture = await startFixture({ audioAddress: endpoint.address });
    const created = await call<{ id: string }>(`${fixture.edge.url}/v1/conversations`, { method: 'POST', key: API_KEY, body: {} });
    conversation = created.body.id;
  });
  beforeEach(() => {
    client = new UploadClient(fixture.edge.url);
    audio.calls.length = 0;
    audio.heard = [];
    audio.broken = [];
    audio.failure = undefined;
    audio.taking = () => undefined;
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    await stop();
  });

  const post = async <T = ErrorBody>(...parts: Part[]) => {
    const answer = await client.post<T>(PATH, rawForm(...parts));
    client.close();
    return answer;
  };
  const send = async (body: FormData) => {
    const answer = await fetch(fixture.edge.url + PATH, { method: 'POST', headers: { authorization: `Bearer ${API_KEY}` }, body });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const wav = filePart(WAV, 'a.wav');

  it('answer the text in the documented form', async () => {
    expect(await post<Record<string, unknown>>(wav)).toEqual({
      status: 200,
      body: { text: 'hello world', language: 'en', duration: 1.5, model: 'pocketsphinx', job_id: expect.any(String) },
    });
    expect(audio.heard[0]?.bytes.equals(WAV)).toBe(true);
    expect(audio.heard[0]?.heads).toEqual([
      { fileName: 'a.wav', declaredType: 'text/plain', language: '', conversationId: '', wantsTimes: false },
    ]);
  });

  it('answer plain text where that is asked for', async () => {
    const form = new FormData();
    form.append('file', new Blob([WAV]), 'a.wav');
    form.append('response_format', 'text');
    expect(await send(form)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: 'hello world' });
  });

  it('work with the official client, unchanged', async () => {
    const openai = new OpenAI({ baseURL: `${fixture.edge.url}/v1`, apiKey: API_KEY, maxRetries: 0 });
    const file = await toFile(WAV, 'speech.wav', { type: 'audio/wav' });
    const whole = await openai.audio.transcriptions.create({ file, model: 'whisper-1', language: 'en', temperature: 0, prompt: 'hm' });
    expect(whole.text).toBe('hello world');
    expect(audio.heard[0]?.heads.at(-1)).toMatchObject({ fileName: 'speech.wav', declaredType: 'audio/wav', language: 'en' });
    expect(await openai.audio.transcriptions.create({ file, model: 'whisper-1', response_format: 'text' })).toBe('hello world');
    const verbose = await openai.audio.transcriptions.create({
      ...{ file, model: 'whisper-1', response_format: 'verbose_json' },
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose).toMatchObject({
      ...{ task: 'transcribe', text: 'hello world', duration: 1.5 },
      segments: [{ id: 0, start: 0.25, end: 1.5, text: 'hello world' }],
      words: [
        { word: 'hello', start: 0.25, end: 0.75 },
        { word: 'world', start: 0.75, end: 1.5 },
      ],
    });
    const subtitles = await openai.audio.transcriptions.create({ file, model: 'whisper-1', response_format: 'srt' });
    expect(subtitles).toBe('1\n00:00:00,250 --> 00:00:01,500\nhello world\n\n');
  });

  it('ask for times where the format has them, also behind the file, and have those of words only on demand', async () => {
    const answer = await post<object>(wav, fieldPart('response_format', 'verbose_json'));
    expect(audio.heard[0]?.heads.map(({ wantsTimes }) => wantsTimes)).toEqual([false, true]);
    expect(answer.body).toMatchObject({ job_id: expect.any(String), segments: [{ start: 0.25 }] });
    expect(answer.body).not.toHaveProperty('words');
    client = new UploadClient(fixture.edge.url);
    const words = await post<object>(fieldPart('response_format', 'verbose_json'), fieldPart('timestamp_granularities[]', 'word'), wav);
    expect(audio.heard[1]?.heads.map(({ wantsTimes }) => wantsTimes)).toEqual([true]);
    expect(words.body).toMatchObject({ words: [{ word: 'hello' }, { word: 'world' }] });
    expect(words.body).not.toHaveProperty('segments');
  });

  it('returns subtitles with their own media types, and rejects them where no times are known', async () => {
    const form = (format: string) => {
      const made = new FormData();
      made.append('file', new Blob([WAV]), 'a.wav');
      made.append('response_format', format);
      return made;
    };
    expect(await send(form('vtt'))).toEqual({
      ...{ status: 200, type: 'text/vtt; charset=utf-8' },
      text: 'WEBVTT\n\n00:00:00.250 --> 00:00:01.500\nhello world\n\n',
    });
    expect(await send(form('srt'))).toMatchObject({ status: 200, type: 'application/x-subrip; charset=utf-8' });
    const { times } = audio;
    audio.times = { segments: [], words: [] };
    const refused = await send(form('srt'));
    audio.times = times;
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'UNSUPPORTED_PARAMETER', param: 'response_format' } });
  });

  it('send the fields before the file in the first head, and those behind it in another one', async () => {
    const fields = () => [fieldPart('language', 'en'), fieldPart('conversation_id', conversation.toUpperCase())];
    const head = { fileName: 'a.wav', declaredType: 'text/plain', language: 'en', conversationId: conversation, wantsTimes: false };
    expect((await post(...fields(), wav)).status).toBe(200);
    expect(audio.heard[0]?.heads).toEqual([head]);
    client = new UploadClient(fixture.edge.url);
    expect((await post(wav, ...fields(), fieldPart('model', 'x'))).status).toBe(200);
    expect(audio.heard[1]?.heads).toEqual([{ ...head, language: '', conversationId: '' }, head]);
  });

  it('take an empty field for an absent one', async () => {
    const empty = ['language', 'response_format', 'conversation_id', 'stream'].map((name) => fieldPart(name, ''));
    expect((await post(...empty, wav)).status).toBe(200);
  });

  it.each<[number | string, string, string, string, number, string]>([
    [75, 'a format that there is not', 'response_format', 'xml', 422, 'VALIDATION_ERROR'],
    ['', 'a format of one model of OpenAI’s', 'response_format', 'diarized_json', 422, 'VALIDATION_ERROR'],
    ['', 'times of what there is not', 'timestamp_granularities[]', 'sentence', 422, 'VALIDATION_ERROR'],
    ['', 'a language that is none', 'language', 'plain english', 422, 'VALIDATION_ERROR'],
    ['', 'a conversation id that is none', 'conversation_id', 'x', 422, 'VALIDATION_ERROR'],
    ['', 'an answer in pieces', 'stream', 'true', 400, 'UNSUPPORTED_PARAMETER'],
    ['', 'an unknown conversation', 'conversation_id', UNKNOWN, 404, 'CONVERSATION_NOT_FOUND'],
  ])('%s: are refused with %s, before the file and behind it', async (_row, _what, name, value, status, code) => {
    const before = await post(fieldPart(name, value), wav);
    expect(before).toMatchObject({ status, body: { error: { code } } });
    // The service was not even asked.
    expect(audio.calls).toEqual([]);
    client = new UploadClient(fixture.edge.url);
    const behind = await post(wav, fieldPart(name, value));
    expect(behind).toMatchObject({ status, body: { error: { code } } });
    expect(behind.body.error.param).toBe(before.body.error.param);
    if (status !== 404) expect(behind.body.error.param).toBe(name);
    expect(audio.heard).toEqual([]);
  });

  it('name the formats that there are', async () => {
    expect((await post(fieldPart('response_format', 'xml'), wav)).body.error.message).toMatch(/json.*text.*verbose_json.*srt.*vtt/);
  });

  it('are refused with a field that comes twice', async () => {
    const answer = await post(fieldPart('language', 'en'), wav, fieldPart('language', 'de'));
    expect(answer).toMatchObject({ status: 422, body: { error: { param: 'language' } } });
    expect(audio.heard).toEqual([]);
  });

  it('are not linked to a conversation of another key', async () => {
    const { key } = await createKey(fixture, { scopes: ['audio'] });
    const form = new FormData();
    form.append('conversation_id', conversation);
    form.append('file', new Blob([WAV]), 'a.wav');
    const { status, body } = await call<ErrorBody>(fixture.edge.url + PATH, { method: 'POST', key, body: form });
    expect([status, body.error.code]).toEqual([403, 'CONVERSATION_ACCESS_DENIED']);
    expect(audio.calls).toEqual([]);
  });

  it.each([
    ['no file', [fieldPart('language', 'en')], 'file'],
    ['two files', [wav, wav], 'file'],
    ['a file of another name', [filePart(WAV, 'a.wav', 'audio')], 'file'],
  ])('are refused with %s', async (_what, parts, param) => {
    expect(await post(...parts)).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR', param } } });
    expect(audio.heard).toEqual([]);
  });

  it('take 25 MB and not a byte more', async () => {
    const file = Buffer.alloc(LIMIT, 'R');
    file.write('RIFF');
    expect((await post(filePart(file))).status).toBe(200);
    expect(audio.heard[0]?.bytes.length).toBe(LIMIT);
    client = new UploadClient(fixture.edge.url);
    expect(await post(filePart(Buffer.concat([file, Buffer.from('x')])))).toMatchObject({
      status: 413,
      body: { error: { code: 'FILE_TOO_LARGE', param: 'file' } },
    });
    expect(audio.heard).toHaveLength(1);
  });

  it('74: bring the service’s refusal of what is no audio', async () => {
    expect(await post(filePart('just text', 'a.wav'))).toMatchObject({ status: 400, body: { error: { code: 'audio_validation_failed' } } });
  });

  it.each([
    ['TRANSCRIPTION_DISABLED', 503, 'transcription_disabled', false],
    ['TRANSCRIPTION_PROVIDER_UNAVAILABLE', 503, 'transcription_provider_unavailable', true],
    ['TRANSCRIPTION_FAILED', 503, 'TRANSCRIPTION_FAILED', true],
    ['TRANSCRIPTION_TIMEOUT', 504, 'TRANSCRIPTION_TIMEOUT', true],
  ] as const)('bring the service’s %s', async (condition, status, code, retryable) => {
    audio.failure = new GatewayError(condition, 'no');
    expect(await post(wav)).toMatchObject({ status, body: { error: { code, retryable } } });
  });

  it('break off with a client that goes away', async () => {
    let taken = 0;
    audio.taking = (chunk) => void (taken += chunk.length);
    const { sent } = client.begin(PATH, { 'transfer-encoding': 'chunked' });
    sent.write(rawForm(wav).subarray(0, 150_000));
    await waitFor(() => taken > 0);
    sent.destroy();
    await waitFor(() => audio.calls.at(-1)?.call.abortReason?.condition === 'CANCELLED');
    expect(audio.heard).toEqual([]);
  });

  it('leave nothing of what was said in the log', async () => {
    audio.text = 'a secret word';
    expect((await post<{ text: string }>(wav)).body.text).toBe('a secret word');
    audio.text = 'hello world';
    expect(JSON.stringify(fixture.lines)).not.toContain('secret');
  });
});
