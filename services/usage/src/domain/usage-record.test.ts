import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import {
  type RequestsRefused,
  type SpeechEnded,
  type SpeechJobChanged,
  type TranscriptionEnded,
  type TurnEnded,
} from '@parley/protos/events/v1/events';
import { estimateSpeechMs } from '@parley/protos/quotas';
import { toLatencyBucket } from './latency-buckets.ts';
import { isMetered, NIL_UUID, toTurnCounterName, toAudioCounterName, toUsageRecord } from './usage-record.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const EVENT_ID = '01900000-0000-7000-8000-00000000000a';
const WORKSPACE = '01900000-0000-7000-8000-00000000000b';
const KEY = '01900000-0000-7000-8000-00000000000c';

const turn = (part: Partial<TurnEnded> = {}): TurnEnded => ({
  turnId: 't',
  conversationId: 'c',
  messageId: 'm',
  workspaceId: WORKSPACE,
  keyId: KEY,
  connectionId: 'n',
  model: 'sandbox-1',
  status: 'completed',
  errorCondition: '',
  tokensIn: 7,
  tokensOut: 11,
  durationMs: 300,
  endedAt: new Date('2026-03-10T11:59:59.000Z'),
  artifacts: [],
  ...part,
});
const ended = (part: Partial<TurnEnded> = {}, id = EVENT_ID) =>
  toUsageRecord({ id, payload: { $case: 'turnEnded', value: turn(part) } }, NOW);
const refused = (part: Partial<RequestsRefused> = {}) =>
  toUsageRecord(
    {
      id: EVENT_ID,
      payload: { $case: 'requestsRefused', value: { workspaceId: WORKSPACE, keyId: KEY, errors: 2, rateLimited: 3, at: NOW, ...part } },
    },
    NOW,
  );

const job = (part: Partial<SpeechJobChanged> = {}) => ({
  id: EVENT_ID,
  payload: {
    $case: 'speechJobChanged' as const,
    value: {
      ...{ jobId: 'j', workspaceId: WORKSPACE, keyId: KEY, provider: 'flite', voice: 'slt', status: 'completed', errorCondition: '' },
      ...{ inputCharacters: 40, durationMs: 900, at: new Date('2026-03-10T11:59:59.000Z'), model: 'tts-1', audioMs: 0, progress: 0 },
      ...part,
    },
  },
});
const speech = (part: Partial<SpeechEnded> = {}) => ({
  id: EVENT_ID,
  payload: {
    $case: 'speechEnded' as const,
    value: {
      ...{ speechId: 's', workspaceId: WORKSPACE, keyId: KEY, provider: 'flite', status: 'completed', errorCondition: '' },
      ...{ inputCharacters: 40, durationMs: 900, at: NOW, model: 'tts-1' },
      ...part,
    },
  },
});
const transcription = (part: Partial<TranscriptionEnded> = {}) => ({
  id: EVENT_ID,
  payload: {
    $case: 'transcriptionEnded' as const,
    value: {
      ...{ transcriptionId: 't', workspaceId: WORKSPACE, keyId: KEY, provider: 'pocketsphinx', status: 'completed', errorCondition: '' },
      ...{ mimeType: 'audio/wav', sizeBytes: 1_000, language: 'en', audioMs: 2_000, durationMs: 700, at: NOW, model: 'whisper-1' },
      ...part,
    },
  },
});

describe('toTurnCounterName', () => {
  it.each([
    ['completed', '', 5, 'successful'],
    ['completed', '', 0, 'successful'],
    ['interrupted', '', 1, 'successful'],
    ['interrupted', '', 0, 'errors'],
    ['failed', 'PROVIDER_RATE_LIMITED', 0, 'rateLimited'],
    ['failed', 'RATE_LIMIT_EXCEEDED', 0, 'rateLimited'],
    ['failed', 'PROVIDER_TIMEOUT', 9, 'errors'],
    ['failed', '', 0, 'errors'],
    ['failed', 'NO_SUCH_CONDITION', 0, 'errors'],
    ['invented', '', 5, 'errors'],
  ])('counts a turn that is %s (%s, %i tokens out) as %s', (status, errorCondition, tokensOut, outcome) => {
    expect(toTurnCounterName({ status, errorCondition, tokensOut })).toBe(outcome);
  });
});

describe('toAudioCounterName', () => {
  it.each([
    ['completed', '', 'successful'],
    ['cancelled', '', 'successful'],
    ['failed', 'PROVIDER_UNAVAILABLE', 'errors'],
    ['failed', 'PROVIDER_RATE_LIMITED', 'rateLimited'],
    ['failed', '', 'errors'],
    ['invented', '', 'errors'],
  ])('counts work that is %s (%s) as %s', (status, errorCondition, outcome) => {
    expect(toAudioCounterName({ status, errorCondition })).toBe(outcome);
  });
});

describe('toUsageRecord', () => {
  const NONE = { tokensIn: 0, tokensOut: 0 };

  it('counts an ended speech job as one request of its model', () => {
    expect(toUsageRecord(job(), NOW)).toMatchObject({ ...NONE, model: 'tts-1', successful: 1, errors: 0, rateLimited: 0, durationMs: 900 });
    expect(toUsageRecord(job({ status: 'failed' }), NOW)).toMatchObject({ successful: 0, errors: 1, rateLimited: 0 });
    expect(toUsageRecord(job({ status: 'queued' }), NOW)).toBeUndefined();
    expect([isMetered(job({ status: 'queued' })), isMetered(job()), isMetered({ id: EVENT_ID })]).toEqual([false, true, true]);
  });

  it('counts synchronous speech as one request of its model', () => {
    expect(toUsageRecord(speech(), NOW)).toMatchObject({ ...NONE, model: 'tts-1', successful: 1, errors: 0, durationMs: 900 });
    expect(toUsageRecord(speech({ status: 'failed', errorCondition: 'RATE_LIMIT_EXCEEDED' }), NOW)).toMatchObject({
      successful: 0,
      rateLimited: 1,
    });
  });

  it('counts audio without a model name under its provider', () => {
    expect(toUsageRecord(job({ model: '' }), NOW)?.model).toBe('flite');
    expect(toUsageRecord(transcription({ model: '' }), NOW)?.model).toBe('pocketsphinx');
  });

  it('has the difference between actual and reserved audio of a speech job', () => {
    const expected = estimateSpeechMs(40);
    expect(toUsageRecord(job({ audioMs: expected + 5 }), NOW)?.audioOwedMs).toBe(5);
    expect(toUsageRecord(job({ audioMs: expected - 5 }), NOW)?.audioOwedMs).toBe(-5);
    expect(toUsageRecord(job({ status: 'failed' }), NOW)?.audioOwedMs).toBe(-expected);
    expect(toUsageRecord(transcription(), NOW)?.audioOwedMs).toBeUndefined();
  });

  it('has the audio of completed work: of synchronous speech what its characters are expected to take', () => {
    expect(toUsageRecord(job({ audioMs: 4_200 }), NOW)?.audioMs).toBe(4_200);
    expect(toUsageRecord(job({ audioMs: 4_200, status: 'cancelled' }), NOW)?.audioMs).toBe(0);
    expect(toUsageRecord(speech(), NOW)?.audioMs).toBe(estimateSpeechMs(40));
    expect(toUsageRecord(transcription(), NOW)?.audioMs).toBe(2_000);
    expect(toUsageRecord(transcription({ status: 'failed' }), NOW)?.audioMs).toBe(0);
  });

  it('counts a transcription as one request of its model', () => {
    expect(toUsageRecord(transcription(), NOW)).toMatchObject({ ...NONE, model: 'whisper-1', successful: 1, errors: 0, durationMs: 700 });
    expect(toUsageRecord(transcription({ status: 'failed' }), NOW)).toMatchObject({ successful: 0, errors: 1 });
  });

  it('has the tokens and the duration of a turn', () => {
    expect(ended()).toEqual({
      eventId: EVENT_ID,
      occurredAt: new Date('2026-03-10T11:59:59.000Z'),
      workspaceId: WORKSPACE,
      keyId: KEY,
      model: 'sandbox-1',
      connectionId: 'n',
      successful: 1,
      errors: 0,
      rateLimited: 0,
      tokensIn: 7,
      tokensOut: 11,
      durationMs: 300,
      audioMs: 0,
      durationBucket: toLatencyBucket(300),
      firstTokenBucket: null,
      code: '',
    });
    expect(ended({ firstTokenMs: 20 })?.firstTokenBucket).toBe(toLatencyBucket(20));
  });

  it('has the public code of a failure, and latencies of chat turns only', () => {
    expect(ended({ status: 'failed', errorCondition: 'PROVIDER_TIMEOUT' })).toMatchObject({ code: ERROR_CATALOGUE.PROVIDER_TIMEOUT.code });
    for (const errorCondition of ['', 'NO_SUCH_CONDITION']) expect(ended({ status: 'failed', errorCondition })?.code).toBe('');
    const failure = { status: 'failed', errorCondition: 'PROVIDER_UNAVAILABLE' };
    for (const event of [job(failure), speech(failure), transcription(failure)]) {
      const { code } = ERROR_CATALOGUE.PROVIDER_UNAVAILABLE;
      expect(toUsageRecord(event, NOW)).toMatchObject({ code, durationBucket: null, firstTokenBucket: null });
    }
  });

  it('counts both kinds of rejected requests in one record without a model', () => {
    expect(refused()).toMatchObject({
      model: '',
      connectionId: '',
      successful: 0,
      errors: 2,
      rateLimited: 3,
      tokensIn: 0,
      tokensOut: 0,
      durationMs: 0,
    });
  });

  it('counts work without a key under the nil UUID', () => {
    expect(ended({ keyId: '' })).toMatchObject({ workspaceId: WORKSPACE, keyId: NIL_UUID });
    expect(refused({ workspaceId: '', keyId: '' })).toMatchObject({ workspaceId: NIL_UUID, keyId: NIL_UUID });
  });

  it.each([
    ['ahead of ours', new Date('2026-03-10T14:00:00.000Z')],
    ['missing', undefined],
    ['invalid', new Date(Number.NaN)],
    ['before 1970', new Date(-1)],
  ])('takes the time of receipt for a time that is %s', (_, endedAt) => {
    expect(ended({ endedAt })?.occurredAt).toEqual(NOW);
  });

  it('makes every model name storable', () => {
    expect(ended({ model: 'a\0b' })?.model).toBe('ab');
    expect(ended({ model: 'x'.repeat(10_000) })?.model).toHaveLength(200);
    expect(ended({ model: '😀'.repeat(10_000) })?.model).toBe('😀'.repeat(200));
  });

  it('ignores an event without usable ids or content', () => {
    expect(ended({}, 'not-an-id')).toBeUndefined();
    expect(ended({ workspaceId: 'w1' })).toBeUndefined();
    expect(ended({ keyId: 'k1' })).toBeUndefined();
    expect(toUsageRecord({ id: EVENT_ID }, NOW)).toBeUndefined();
  });
});
