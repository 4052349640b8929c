import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TextExtractor } from '@parley/file-content/extract';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Inlet } from '@parley/kit/rpc/exchange';
import { type Asset, type KeepGeneratedRequest } from '@parley/protos/asset/v1/asset';
import { type CreateJobRequest, type Job, type TranscribeRequest } from '@parley/protos/audio/v1/audio';
import { type Condition, GatewayError } from '@parley/protos/errors';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type JsonValue } from '../src/domain/json.ts';
import { chatExecutor } from '../src/steps/chat.ts';
import { extractTextExecutor } from '../src/steps/extract-text.ts';
import { type Inputs } from '../src/steps/read-input.ts';
import { renderExecutor } from '../src/steps/render.ts';
import { selectExecutor } from '../src/steps/select.ts';
import { type Keeper } from '../src/steps/keep-speech.ts';
import { speakExecutor, type SpeechJobs } from '../src/steps/speak.ts';
import { type StepExecutor } from '../src/steps/step-executor.ts';
import { transcribeExecutor } from '../src/steps/transcribe.ts';
import { NEVER, RUN_ID, stepRequest } from './step-fixture.ts';

const run = (executor: StepExecutor, payload: JsonValue | undefined, signal = NEVER) =>
  executor.execute(stepRequest({}, { payload }), signal);
const failure = (executor: StepExecutor, payload: JsonValue | undefined, signal?: AbortSignal) =>
  run(executor, payload, signal).then(
    () => 'answered',
    ({ error, effect }: { error: GatewayError; effect: string }) => ({ condition: error.condition, effect }),
  );
const asset = (part: Partial<Asset>): Asset => ({
  ...{ id: 'a1', assetType: 'action_input', fileName: 'note.txt', mimeType: 'text/plain', sizeBytes: 5, status: 'ready', retryCount: 0 },
  ...{ conversationId: '', messageId: '', errorCondition: '', errorMessage: '', sha256: '' },
  ...part,
});
const BAD = { condition: 'ACTION_STEP_FAILED', effect: 'none' };

describe('chat', () => {
  let turns: TurnRequest[];
  let play: (inlet: Inlet<TurnEvent>) => void;
  const accepted = { conversationId: 'c', messageId: 'm', model: 'sandbox-1', created: 1 };
  const completed = { finishReason: 'stop', tokensIn: 2, tokensOut: 3, text: 'Blue.' };
  const executor = chatExecutor({
    turns: (turn, inlet) => {
      turns.push(turn);
      queueMicrotask(() => play(inlet));
      return { cancel: () => undefined, pause: () => undefined, resume: () => undefined };
    },
  });
  const messages = [
    { role: 'developer', content: 'Be short.' },
    { role: 'user', content: 'Which colour?' },
  ];
  beforeEach(() => {
    turns = [];
    play = (inlet) => {
      inlet.message({ event: { $case: 'accepted', value: accepted } });
      inlet.message({ event: { $case: 'completed', value: completed } });
      inlet.end();
    };
  });

  it('is a turn in the caller’s name, which is asked for once', async () => {
    await expect(run(executor, { model: 'm1', messages })).resolves.toMatchObject({
      statusCode: 200,
      body: {
        ...{ id: 'chatcmpl-m', object: 'chat.completion', conversation_id: 'c', model: 'sandbox-1' },
        choices: [{ message: { role: 'assistant', content: 'Blue.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      },
    });
    await run(executor, { model: 'm1', messages });
    await run(executor, { messages });
    const [one, same, other] = turns;
    expect(one).toMatchObject({
      model: 'm1',
      stream: false,
      idempotencyKey: `${RUN_ID}:step`,
      messages: [{ role: 'system' }, { role: 'user', text: 'Which colour?' }],
    });
    expect(one?.requestDigest).toEqual(same?.requestDigest);
    expect(other).toMatchObject({ model: 'auto' });
    expect(other?.requestDigest).not.toEqual(one?.requestDigest);
  });

  it('asks anew for what broke off, and what failed before', async () => {
    const plays = [{ ...completed, text: 'Bl', finishReason: 'length', interrupted: true }, completed];
    play = (inlet) => {
      inlet.message({ event: { $case: 'accepted', value: accepted } });
      inlet.message({ event: { $case: 'completed', value: plays.shift() ?? completed } });
      inlet.end();
    };
    await expect(run(executor, { messages })).resolves.toMatchObject({ body: { choices: [{ message: { content: 'Blue.' } }] } });
    await executor.execute(stepRequest({}, { payload: { messages }, retries: 2 }), NEVER);
    expect(turns.map(({ idempotencyKey }) => idempotencyKey)).toEqual([`${RUN_ID}:step`, `${RUN_ID}:step:1`, `${RUN_ID}:step:retry-2`]);
    expect(turns[1]?.requestDigest).toEqual(turns[0]?.requestDigest);
  });

  it('gives up what always breaks off', async () => {
    play = (inlet) => {
      inlet.message({ event: { $case: 'accepted', value: accepted } });
      inlet.message({ event: { $case: 'completed', value: { ...completed, interrupted: true } } });
      inlet.end();
    };
    await expect(failure(executor, { messages })).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
  });

  it.each<JsonValue | undefined>([
    undefined,
    'text',
    {},
    { messages: [] },
    { messages: 'x' },
    { messages: [{ role: 'tool', content: 'x' }] },
    { messages: [{ role: 'toString', content: 'x' }] },
    { messages: [{ role: 'user', content: [1] }] },
    { messages, model: 1 },
  ])('refuses the payload %j', async (payload) => {
    await expect(failure(executor, payload)).resolves.toEqual(BAD);
    expect(turns).toEqual([]);
  });

  it('fails as the turn does', async () => {
    play = (inlet) => inlet.fail(new GatewayError('ACCOUNT_NOT_CONNECTED', 'none'));
    await expect(failure(executor, { messages })).resolves.toEqual({ condition: 'ACCOUNT_NOT_CONNECTED', effect: 'none' });
    play = (inlet) => inlet.fail(new GatewayError('PROVIDER_TIMEOUT', 'late'));
    await expect(failure(executor, { messages })).resolves.toEqual({ condition: 'PROVIDER_TIMEOUT', effect: 'unknown' });
    play = (inlet) => inlet.end();
    await expect(failure(executor, { messages })).resolves.toEqual({ condition: 'INTERNAL_ERROR', effect: 'unknown' });
  });
});

describe('speak', () => {
  let states: Partial<Job>[];
  let wanted: CreateJobRequest[];
  let cancelled: string[];
  const next = (): Job => ({
    ...{
      id: 'j1',
      status: 'queued',
      provider: 'flite',
      voice: 'slt',
      outputMimeType: '',
      outputSizeBytes: 0,
      durationMs: 0,
      inputCharacters: 2,
      retryOf: '',
    },
    ...{ progress: 0, model: '', language: '', responseFormat: 'wav', expiresAt: new Date(0) },
    ...(states.length > 1 ? states.shift() : states[0]),
  });
  const jobs: SpeechJobs = {
    createJob: async (request) => {
      wanted.push(request);
      return next();
    },
    getJob: async () => next(),
    cancelJob: async ({ id }) => {
      cancelled.push(id);
      return next();
    },
    readContent: async function* ({ id }) {
      if (expired) throw new GatewayError('AUDIO_EXPIRED', 'gone');
      try {
        yield { frame: { $case: 'head', value: { fileName: `speech-${id}.wav`, mimeType: 'audio/wav', sizeBytes: 9, sha256: 'abc' } } };
        for (const value of AUDIO) yield { frame: { $case: 'chunk', value } };
      } finally {
        released++;
      }
    },
  };
  const AUDIO = [Buffer.from('RIFF'), Buffer.from('audio')];
  let expired: boolean;
  let released: number;
  let kept: KeepGeneratedRequest[][];
  const assets: Keeper = {
    keepGenerated: async (frames) => {
      const all: KeepGeneratedRequest[] = [];
      for await (const frame of frames) all.push(frame);
      kept.push(all);
      const head = all[0]?.frame;
      return asset({ id: head?.$case === 'head' ? head.value.assetId : '', assetType: 'audio' });
    },
  };
  const keeping = { assets, retentionMs: 86_400_000 };
  const executor = speakExecutor(jobs, keeping);
  beforeEach(() => {
    [wanted, cancelled, kept] = [[], [], []];
    [expired, released] = [false, 0];
    states = [{}, { status: 'processing' }, { status: 'completed', outputMimeType: 'audio/wav', outputSizeBytes: 9, durationMs: 4 }];
  });

  it('waits for a job that is made once', async () => {
    const payload = { input: 'Hi', voice: 'slt', response_format: 'mp3' };
    await expect(run(executor, payload)).resolves.toMatchObject({
      statusCode: 200,
      body: {
        id: 'j1',
        status: 'completed',
        output_mime_type: 'audio/wav',
        duration_ms: 4,
        content_url: '/v1/audio/generations/j1/content',
        asset_id: expect.any(String),
      },
    });
    await run(executor, payload);
    expect(wanted[0]).toMatchObject({ input: 'Hi', voice: 'slt', responseFormat: 'mp3', idempotencyKey: `${RUN_ID}:step` });
    expect(wanted[1]).toEqual(wanted[0]);
    await run(executor, { input: 'Hi' });
    expect(wanted[2]).toMatchObject({ voice: 'alloy', responseFormat: '' });
    await executor.execute(stepRequest({}, { payload, retries: 1 }), NEVER);
    expect(wanted[3]?.idempotencyKey).toBe(`${RUN_ID}:step:retry-1`);
  });

  it('has its audio made an asset, which of one job is always the same', async () => {
    states = [{ status: 'completed' }];
    const text = 'A secret text';
    const { body } = await run(executor, { input: text });
    const head = kept[0]?.[0]?.frame?.value as { assetId: string };
    expect(isUuid(head.assetId)).toBe(true);
    expect(body).toMatchObject({ id: 'j1', asset_id: head.assetId, download_url: `/v1/assets/${head.assetId}/download` });
    expect(head).toEqual({
      ...{ assetId: head.assetId, assetType: 'audio', sha256: 'abc', keepSeconds: 86_400 },
      file: { fileName: 'speech-j1.wav', declaredType: 'audio/wav' },
    });
    expect(kept[0]?.slice(1).map(({ frame }) => frame?.value)).toEqual(AUDIO);
    expect(JSON.stringify(kept)).not.toContain(text);
    await expect(run(executor, { input: text })).resolves.toMatchObject({ body: { asset_id: head.assetId } });
    states = [{ status: 'completed', id: 'j2' }];
    const other = await run(executor, { input: text });
    expect(other.body).not.toMatchObject({ asset_id: head.assetId });
    expect(released).toBe(3);
  });

  it('fails as its audio or its asset does, and leaves nothing open', async () => {
    states = [{ status: 'completed' }];
    const refusing = (condition: Condition) =>
      speakExecutor(jobs, {
        ...keeping,
        assets: {
          keepGenerated: async (frames) => {
            for await (const _ of frames) throw new GatewayError(condition, 'refused');
            throw new Error('no frames');
          },
        },
      });
    await expect(failure(refusing('UNSUPPORTED_FILE_TYPE'), { input: 'Hi' })).resolves.toEqual({
      condition: 'UNSUPPORTED_FILE_TYPE',
      effect: 'none',
    });
    await expect(failure(refusing('UPLOAD_FAILED'), { input: 'Hi' })).resolves.toEqual({ condition: 'UPLOAD_FAILED', effect: 'unknown' });
    expect(released).toBe(2);
    expired = true;
    await expect(failure(executor, { input: 'Hi' })).resolves.toEqual({ condition: 'AUDIO_EXPIRED', effect: 'none' });
    expect(kept).toEqual([]);
  });

  it('is not asked for in samples that say nothing of what they are', async () => {
    await expect(failure(executor, { input: 'Hi', response_format: 'pcm' })).resolves.toEqual(BAD);
    expect(wanted).toEqual([]);
  });

  it('fails as the job does', async () => {
    states = [{}, { status: 'failed', error: { condition: 'PROVIDER_RATE_LIMITED', message: 'wait' } }];
    await expect(failure(executor, { input: 'Hi' })).resolves.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    states = [{ status: 'cancelled' }];
    await expect(failure(executor, { input: 'Hi' })).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
    await expect(failure(executor, {})).resolves.toEqual(BAD);
    expect(cancelled).toEqual([]);
  });

  it.each([
    ['TIMEOUT', ['j1']],
    ['CANCELLED', ['j1']],
    // Whoever takes the run up again waits for this job.
    ['SHUTTING_DOWN', []],
  ] as const)('given up with %s, cancels %j', async (condition, expected) => {
    states = [{}];
    const stop = new AbortController();
    const waiting = failure(
      speakExecutor({ ...jobs, getJob: async () => (stop.abort(new GatewayError(condition, 'stop')), next()) }, keeping),
      { input: 'Hi' },
      stop.signal,
    );
    await expect(waiting).resolves.toEqual({ condition, effect: 'unknown' });
    expect(cancelled).toEqual(expected);
  });
});

describe('files', () => {
  let chunks: Buffer[];
  let head: Asset | undefined;
  let asked: unknown[];
  const inputs: Inputs = {
    readActionInput: async function* (request) {
      asked.push(request);
      if (!head) throw new GatewayError('ASSET_INPUT_INVALID', 'gone');
      try {
        yield { frame: { $case: 'head', value: head } };
        for (const value of chunks) yield { frame: { $case: 'chunk', value } };
      } finally {
        released++;
      }
    },
  };
  let released: number;
  const extractor = new TextExtractor();
  const extract = extractTextExecutor(inputs, extractor);
  let heard: TranscribeRequest[];
  const transcribe = transcribeExecutor(
    {
      transcribe: async (frames) => {
        for await (const frame of frames) heard.push(frame);
        return { text: 'Hello.', language: 'en', durationSeconds: 1.5, model: 'm', jobId: 'j' };
      },
    },
    inputs,
  );
  beforeEach(() => {
    [head, asked, heard] = [asset({}), [], []];
    released = 0;
    chunks = [Buffer.from('Hel'), Buffer.from('lo\0!')];
  });
  afterAll(() => extractor.close());

  it('are read, for this run', async () => {
    const body = { text: 'Hello!', truncated: false, omitted: '', file_name: 'note.txt', mime_type: 'text/plain', size_bytes: 5 };
    await expect(run(extract, { file: { asset_id: 'a1' } })).resolves.toMatchObject({ body });
    await expect(run(extract, { file: 'a1', max_characters: 3 })).resolves.toMatchObject({ body: { text: 'Hel', truncated: true } });
    expect(asked).toEqual([
      { assetId: 'a1', runId: RUN_ID },
      { assetId: 'a1', runId: RUN_ID },
    ]);
    chunks = [Buffer.from('ab🎈')];
    await expect(run(extract, { file: 'a1', max_characters: 3 })).resolves.toMatchObject({ body: { text: 'ab' } });
  });

  it('are heard', async () => {
    await expect(run(transcribe, { file: { asset_id: 'a1' }, language: 'en' })).resolves.toMatchObject({
      body: { text: 'Hello.', language: 'en', duration_seconds: 1.5, model: 'm' },
    });
    expect(heard[0]).toMatchObject({
      frame: { $case: 'head', value: { fileName: 'note.txt', declaredType: 'text/plain', language: 'en' } },
    });
    expect(Buffer.concat(heard.slice(1).map(({ frame }) => frame?.value as Buffer)).toString()).toBe('Hello\0!');
  });

  it.each<JsonValue | undefined>([
    undefined,
    {},
    { file: 1 },
    { file: {} },
    { file: '' },
    { file: 'a1', max_characters: 0 },
    { file: 'a1', max_characters: 1.5 },
  ])('are not asked for with the payload %j', async (payload) => {
    await expect(failure(extract, payload)).resolves.toEqual(BAD);
    expect(asked).toEqual([]);
  });

  it('that are gone or too large fail the step', async () => {
    head = undefined;
    for (const executor of [extract, transcribe]) {
      await expect(failure(executor, { file: 'a1' })).resolves.toEqual({ condition: 'ASSET_INPUT_INVALID', effect: 'none' });
    }
    head = asset({ sizeBytes: 33 * 1_024 ** 2 });
    await expect(failure(extract, { file: 'a1' })).resolves.toEqual({ condition: 'ASSET_INPUT_INVALID', effect: 'none' });
    // Nobody goes on sending it.
    expect(released).toBe(1);
  });
});

describe('transforms', () => {
  it('render what is filled in by now', async () => {
    await expect(run(renderExecutor(), { text: 'Hi {$inputs.name}' })).resolves.toEqual({
      statusCode: 200,
      headers: {},
      body: { text: 'Hi {$inputs.name}' },
    });
    await expect(failure(renderExecutor(), { text: 1 })).resolves.toEqual(BAD);
  });

  it('select what a JSONPath finds', async () => {
    const from = {
      tickets: [
        { id: 1, open: true },
        { id: 2, open: false },
        { id: 3, open: true },
      ],
    };
    await expect(run(selectExecutor(), { from, path: '$.tickets[?@.open == true].id' })).resolves.toMatchObject({
      body: { values: [1, 3], value: 1, count: 2 },
    });
    await expect(run(selectExecutor(), { from, path: '$.nothing' })).resolves.toMatchObject({
      body: { values: [], value: null, count: 0 },
    });
    await expect(failure(selectExecutor(), { from, path: 'tickets[' })).resolves.toEqual(BAD);
    await expect(failure(selectExecutor(), { from })).resolves.toEqual(BAD);
  });
});
