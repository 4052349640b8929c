import { isUuid } from '@parley/kit/ids/uuid';
import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import { isErrorCondition } from '@parley/protos/errors';
import {
  type ActionRunChanged,
  type Event,
  type RequestsRefused,
  type SpeechEnded,
  type SpeechJobChanged,
  type TranscriptionEnded,
  type TurnEnded,
} from '@parley/protos/events/v1/events';
import { estimateSpeechMs } from '@parley/protos/quotas';
import { type Counters, createEmptyCounters } from './counters.ts';
import { toLatencyBucket } from './latency-buckets.ts';

/** The usage of a key that one event reports. */
export interface UsageRecord extends Counters {
  /** Id of the event; deduplicates redelivered events. */
  eventId: string;
  occurredAt: Date;
  workspaceId: string;
  keyId: string;
  /** Empty for requests that were rejected before a model was known. */
  model: string;
  /** Id of the connection that finished the work; empty for work without one. */
  connectionId: string;
  /** Latency bucket of a chat turn's duration; null for other work. */
  durationBucket: number | null;
  firstTokenBucket: number | null;
  /** Public code of the error with which the work failed; empty for none. */
  code: string;
  /** Difference between the audio of a speech job and its reserved quota, in milliseconds; negative when less was used. */
  audioOwedMs?: number;
}

/** The nil UUID (RFC 9562, section 5.9): stands for the key or workspace of work without one, such as the operator's. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const MODEL_LENGTH = 200;

/** Whether an event reports work that has ended; queued and accepted work does not count yet. */
export function isMetered({ payload }: Event): boolean {
  if (payload?.$case === 'actionRunChanged') return payload.value.status !== 'accepted';
  return payload?.$case !== 'speechJobChanged' || payload.value.status !== 'queued';
}

/**
 * Converts an event that was received at `now` to a record that the database accepts. Returns undefined for an unusable event (ids that are
 * not UUIDs, nothing to count), so that one invalid event does not block the others of its batch.
 */
export function toUsageRecord(event: Event, now: Date): UsageRecord | undefined {
  if (!isUuid(event.id)) return undefined;
  switch (event.payload?.$case) {
    case 'turnEnded': {
      const turn = event.payload.value;
      const kept = record(event.id, turn, turn.endedAt, cleanModel(turn.model), countTurn(turn), now);
      return kept && { ...kept, connectionId: cleanModel(turn.connectionId), code: toCode(turn), ...toLatencies(turn) };
    }
    case 'requestsRefused': {
      const refused = event.payload.value;
      return record(
        event.id,
        refused,
        refused.at,
        '',
        { ...createEmptyCounters(), errors: refused.errors, rateLimited: refused.rateLimited },
        now,
      );
    }
    case 'speechJobChanged':
    case 'speechEnded':
    case 'transcriptionEnded': {
      const work = event.payload.value;
      const counters = { ...createEmptyCounters(), [toAudioCounterName(work)]: 1, durationMs: work.durationMs, audioMs: toAudioMs(work) };
      const kept = isMetered(event) ? record(event.id, work, work.at, cleanModel(work.model || work.provider), counters, now) : undefined;
      const audioOwed = event.payload.$case === 'speechJobChanged' && { audioOwedMs: toAudioOwed(event.payload.value) };
      return kept && { ...kept, code: toCode(work), ...audioOwed };
    }
    case 'actionRunChanged': {
      const run = event.payload.value;
      const counters = { ...createEmptyCounters(), [toRunCounterName(run)]: 1, durationMs: run.durationMs };
      const kept = isMetered(event) ? record(event.id, run, run.at, cleanModel(`action:${run.slug}`), counters, now) : undefined;
      return kept && { ...kept, code: toCode(run) };
    }
    case 'conversationChanged':
    case 'assetChanged':
    case 'projectChanged':
    case undefined:
      return undefined;
  }
}

/**
 * Returns the counter of a turn's outcome. Interrupted turns (client disconnected, process crashed) are successful when the answer had
 * started, else errors. A status that this release does not know is an error, so that every turn counts.
 */
export function toTurnCounterName({ status, errorCondition, tokensOut }: Pick<TurnEnded, 'status' | 'errorCondition' | 'tokensOut'>) {
  if (status === 'completed') return 'successful';
  if (status === 'interrupted' && tokensOut > 0) return 'successful';
  return toFailure(errorCondition);
}

/**
 * Returns the counter of the outcome of a speech job, synchronous speech or a transcription. A job that its client cancelled is successful.
 */
export function toAudioCounterName({
  status,
  errorCondition,
}: Pick<SpeechJobChanged | SpeechEnded | TranscriptionEnded, 'status' | 'errorCondition'>) {
  return status === 'completed' || status === 'cancelled' ? 'successful' : toFailure(errorCondition);
}

/** Audio of completed work, in milliseconds; the event of synchronous speech contains only its characters. */
function toAudioMs(work: SpeechJobChanged | SpeechEnded | TranscriptionEnded): number {
  if (work.status !== 'completed') return 0;
  return 'audioMs' in work ? work.audioMs : estimateSpeechMs(work.inputCharacters);
}

/** Returns the counter of a run's outcome. A run that its client cancelled is successful; a run that needs review is not. */
function toRunCounterName({ status, errorCondition }: Pick<ActionRunChanged, 'status' | 'errorCondition'>) {
  return status === 'succeeded' || status === 'cancelled' ? 'successful' : toFailure(errorCondition);
}

/**
 * Returns the audio to charge in addition to the expected duration of the text, which the edge has reserved; a job without audio costs
 * nothing.
 */
function toAudioOwed({ audioMs, inputCharacters }: SpeechJobChanged): number {
  return audioMs - estimateSpeechMs(inputCharacters);
}

function toFailure(errorCondition: string) {
  return isErrorCondition(errorCondition) && ERROR_CATALOGUE[errorCondition].type === 'rate_limit_error' ? 'rateLimited' : 'errors';
}

/** Returns the public code of failed work; empty for other work and for a condition that this release does not know. */
function toCode({ status, errorCondition }: Pick<TurnEnded, 'status' | 'errorCondition'>): string {
  return status === 'failed' && isErrorCondition(errorCondition) ? ERROR_CATALOGUE[errorCondition].code : '';
}

function toLatencies({ durationMs, firstTokenMs }: TurnEnded): Pick<UsageRecord, 'durationBucket' | 'firstTokenBucket'> {
  return {
    durationBucket: toLatencyBucket(durationMs),
    firstTokenBucket: firstTokenMs === undefined ? null : toLatencyBucket(firstTokenMs),
  };
}

function countTurn(turn: TurnEnded): Counters {
  const { tokensIn, tokensOut, durationMs } = turn;
  return { ...createEmptyCounters(), [toTurnCounterName(turn)]: 1, tokensIn, tokensOut, durationMs };
}

function record(
  eventId: string,
  { workspaceId, keyId }: Pick<TurnEnded | RequestsRefused, 'workspaceId' | 'keyId'>,
  at: Date | undefined,
  model: string,
  counters: Counters,
  now: Date,
): UsageRecord | undefined {
  const workspace = workspaceId || NIL_UUID;
  const key = keyId || NIL_UUID;
  if (!isUuid(workspace) || !isUuid(key)) return undefined;
  const unknown = { connectionId: '', durationBucket: null, firstTokenBucket: null, code: '' };
  return { eventId, occurredAt: clamp(at, now), workspaceId: workspace, keyId: key, model, ...unknown, ...counters };
}

/**
 * Limits the time of an event to `now`. Times come from other clocks: a future, invalid or missing time becomes the time of receipt, so
 * that no report misses the event.
 */
function clamp(at: Date | undefined, now: Date): Date {
  const ms = at?.getTime() ?? Number.NaN;
  return ms > 0 && ms < now.getTime() ? new Date(ms) : now;
}

/** Cleans a model name, which the client chooses: removes NUL, which PostgreSQL rejects, and truncates between characters. */
function cleanModel(model: string): string {
  if (model.length <= MODEL_LENGTH && !model.includes('\0')) return model;
  return Array.from(model.replaceAll('\0', '')).slice(0, MODEL_LENGTH).join('');
}
