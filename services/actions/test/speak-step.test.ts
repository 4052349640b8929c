import { beforeEach, describe, expect, it } from '@jest/globals';
import { isUuid } from '@parley/kit/ids/uuid';
import { type KeepGeneratedRequest } from '@parley/protos/asset/v1/asset';
import { type CreateJobRequest, type Job } from '@parley/protos/audio/v1/audio';
import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { speakExecutor, type SpeechJobsClient } from '../src/steps/speak.ts';
import { type GeneratedAssetsClient } from '../src/steps/store-speech.ts';
import { actionInput, BAD_PAYLOAD, failureOf, NEVER, RUN_ID, runStep, stepRequest } from './step-fixture.ts';

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
  const jobs: SpeechJobsClient = {
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
  const assets: GeneratedAssetsClient = {
    keepGenerated: async (frames) => {
      const all: KeepGeneratedRequest[] = [];
      for await (const frame of frames) all.push(frame);
      kept.push(all);
      const head = all[0]?.frame;
      return actionInput({ id: head?.$case === 'head' ? head.value.assetId : '', assetType: 'audio' });
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
    await expect(runStep(executor, payload)).resolves.toMatchObject({
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
    await runStep(executor, payload);
    expect(wanted[0]).toMatchObject({ input: 'Hi', voice: 'slt', responseFormat: 'mp3', idempotencyKey: `${RUN_ID}:step` });
    expect(wanted[1]).toEqual(wanted[0]);
    await runStep(executor, { input: 'Hi' });
    expect(wanted[2]).toMatchObject({ voice: 'alloy', responseFormat: '' });
    await executor.execute(stepRequest({}, { payload, retries: 1 }), NEVER);
    expect(wanted[3]?.idempotencyKey).toBe(`${RUN_ID}:step:retry-1`);
  });

  it('has its audio made an asset, which of one job is always the same', async () => {
    states = [{ status: 'completed' }];
    const text = 'A secret text';
    const { body } = await runStep(executor, { input: text });
    const head = kept[0]?.[0]?.frame?.value as { assetId: string };
    expect(isUuid(head.assetId)).toBe(true);
    expect(body).toMatchObject({ id: 'j1', asset_id: head.assetId, download_url: `/v1/assets/${head.assetId}/download` });
    expect(head).toEqual({
      ...{ assetId: head.assetId, assetType: 'audio', sha256: 'abc', keepSeconds: 86_400 },
      file: { fileName: 'speech-j1.wav', declaredType: 'audio/wav' },
    });
    expect(kept[0]?.slice(1).map(({ frame }) => frame?.value)).toEqual(AUDIO);
    expect(JSON.stringify(kept)).not.toContain(text);
    await expect(runStep(executor, { input: text })).resolves.toMatchObject({ body: { asset_id: head.assetId } });
    states = [{ status: 'completed', id: 'j2' }];
    const other = await runStep(executor, { input: text });
    expect(other.body).not.toMatchObject({ asset_id: head.assetId });
    expect(released).toBe(3);
  });

  it('fails as its audio or its asset does, and leaves nothing open', async () => {
    states = [{ status: 'completed' }];
    const refusing = (condition: ErrorCondition) =>
      speakExecutor(jobs, {
        ...keeping,
        assets: {
          keepGenerated: async (frames) => {
            for await (const _ of frames) throw new GatewayError(condition, 'refused');
            throw new Error('no frames');
          },
        },
      });
    await expect(failureOf(refusing('UNSUPPORTED_FILE_TYPE'), { input: 'Hi' })).resolves.toEqual({
      condition: 'UNSUPPORTED_FILE_TYPE',
      effect: 'none',
    });
    await expect(failureOf(refusing('UPLOAD_FAILED'), { input: 'Hi' })).resolves.toEqual({ condition: 'UPLOAD_FAILED', effect: 'unknown' });
    expect(released).toBe(2);
    expired = true;
    await expect(failureOf(executor, { input: 'Hi' })).resolves.toEqual({ condition: 'AUDIO_EXPIRED', effect: 'none' });
    expect(kept).toEqual([]);
  });

  it('is not asked for in samples that say nothing of what they are', async () => {
    await expect(failureOf(executor, { input: 'Hi', response_format: 'pcm' })).resolves.toEqual(BAD_PAYLOAD);
    expect(wanted).toEqual([]);
  });

  it('fails as the job does', async () => {
    states = [{}, { status: 'failed', error: { condition: 'PROVIDER_RATE_LIMITED', message: 'wait' } }];
    await expect(failureOf(executor, { input: 'Hi' })).resolves.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    states = [{ status: 'cancelled' }];
    await expect(failureOf(executor, { input: 'Hi' })).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
    await expect(failureOf(executor, {})).resolves.toEqual(BAD_PAYLOAD);
    expect(cancelled).toEqual([]);
  });

  it.each([
    ['TIMEOUT', ['j1']],
    ['CANCELLED', ['j1']],
    // The worker that resumes the run waits for this job.
    ['SHUTTING_DOWN', []],
  ] as const)('given up with %s, cancels %j', async (condition, expected) => {
    states = [{}];
    const stop = new AbortController();
    const waiting = failureOf(
      speakExecutor({ ...jobs, getJob: async () => (stop.abort(new GatewayError(condition, 'stop')), next()) }, keeping),
      { input: 'Hi' },
      stop.signal,
    );
    await expect(waiting).resolves.toEqual({ condition, effect: 'unknown' });
    expect(cancelled).toEqual(expected);
  });
});
