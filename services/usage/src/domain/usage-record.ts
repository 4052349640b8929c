import { isUuid } from '@parley/kit/ids/uuid';
import { CATALOGUE } from '@parley/protos/catalogue';
import { isCondition } from '@parley/protos/errors';
import {
  type ActionRunChanged,
  type Event,
  type RequestsRefused,
  type SpeechEnded,
  type SpeechJobChanged,
  type TranscriptionEnded,
  type TurnEnded,
} from '@parley/protos/events/v1/events';
import { expectedSpeechMs } from '@parley/protos/quotas';
import { type Counters, zero } from './counters.ts';

/** What one event adds to the usage of a key. */
export interface UsageRecord extends Counters {
  /** Id of the event: a record is kept once, however often its event is delivered. */
  eventId: string;
  occurredAt: Date;
  workspaceId: string;
  keyId: string;
  /** Empty for requests that were refused before a model was known. */
  model: string;
  /** What quotas of audio seconds were charged too little, in milliseconds, when a speech job was reserved for; below zero: too much. */
  audioOwedMs?: number;
}

/** The id of a key or workspace for work that was done without one, such as the operator's. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

const MODEL_LENGTH = 200;

/** Whether an event is about something that ended: what has only begun to wait counts nothing yet. */
export function isMetered({ payload }: Event): boolean {
  if (payload?.$case === 'actionRunChanged') return payload.value.status !== 'accepted';
  return payload?.$case !== 'speechJobChanged' || payload.value.status !== 'queued';
}

/**
 * The record of an event that was received at `now`, or nothing for an event that can never be kept: its ids are no UUIDs or it counts nothing.
 * What this gives, the database takes; one bad event must not hold up those that came with it.
 */
export function recordOf(event: Event, now: Date): UsageRecord | undefined {
  if (!isUuid(event.id)) return undefined;
  switch (event.payload?.$case) {
    case 'turnEnded': {
      const turn = event.payload.value;
      return record(event.id, turn, turn.endedAt, cleanModel(turn.model), countTurn(turn), now);
    }
    case 'requestsRefused': {
      const refused = event.payload.value;
      return record(event.id, refused, refused.at, '', { ...zero(), errors: refused.errors, rateLimited: refused.rateLimited }, now);
    }
    case 'speechJobChanged':
    case 'speechEnded':
    case 'transcriptionEnded': {
      const work = event.payload.value;
      const counters = { ...zero(), [outcomeOfAudio(work)]: 1, durationMs: work.durationMs };
      const kept = isMetered(event) ? record(event.id, work, work.at, cleanModel(work.model || work.provider), counters, now) : undefined;
      return kept && event.payload.$case === 'speechJobChanged' ? { ...kept, audioOwedMs: audioOwed(event.payload.value) } : kept;
    }
    case 'actionRunChanged': {
      const run = event.payload.value;
      const counters = { ...zero(), [outcomeOfRun(run)]: 1, durationMs: run.durationMs };
      return isMetered(event) ? record(event.id, run, run.at, cleanModel(`action:${run.slug}`), counters, now) : undefined;
    }
    case 'conversationChanged':
    case 'assetChanged':
    case 'projectChanged':
    case undefined:
      return undefined;
  }
}

/**
 * How a turn counts. Interrupted turns (the client left, the process died) are successful when the client had begun to get
 * an answer, else errors. A status this build does not know is an error: every begun turn counts somewhere.
 */
export function outcomeOf({ status, errorCondition, tokensOut }: Pick<TurnEnded, 'status' | 'errorCondition' | 'tokensOut'>) {
  if (status === 'completed') return 'successful';
  if (status === 'interrupted' && tokensOut > 0) return 'successful';
  return failureOf(errorCondition);
}

/** How a speech job, speech at once or a transcription counts. A cancelled job ended as its client asked, which is no error. */
export function outcomeOfAudio({
  status,
  errorCondition,
}: Pick<SpeechJobChanged | SpeechEnded | TranscriptionEnded, 'status' | 'errorCondition'>) {
  return status === 'completed' || status === 'cancelled' ? 'successful' : failureOf(errorCondition);
}

/** How a run counts. A cancelled one ended as its client asked; one that needs review is no success (spec §2.10). */
function outcomeOfRun({ status, errorCondition }: Pick<ActionRunChanged, 'status' | 'errorCondition'>) {
  return status === 'succeeded' || status === 'cancelled' ? 'successful' : failureOf(errorCondition);
}

/** The edge has reserved what its text was expected to take; a job that made no audio costs none. */
function audioOwed({ audioMs, inputCharacters }: SpeechJobChanged): number {
  return audioMs - expectedSpeechMs(inputCharacters);
}

function failureOf(errorCondition: string) {
  return isCondition(errorCondition) && CATALOGUE[errorCondition].type === 'rate_limit_error' ? 'rateLimited' : 'errors';
}

function countTurn(turn: TurnEnded): Counters {
  const { tokensIn, tokensOut, durationMs } = turn;
  return { ...zero(), [outcomeOf(turn)]: 1, tokensIn, tokensOut, durationMs };
}

function record(
  eventId: string,
  { workspaceId, keyId }: Pick<TurnEnded | RequestsRefused, 'workspaceId' | 'keyId'>,
  at: Date | undefined,
  model: string,
  counters: Counters,
  now: Date,
): UsageRecord | undefined {
  const workspace = workspaceId || NOBODY;
  const key = keyId || NOBODY;
  if (!isUuid(workspace) || !isUuid(key)) return undefined;
  return { eventId, occurredAt: clamp(at, now), workspaceId: workspace, keyId: key, model, ...counters };
}

/** Times come from other clocks: one that is ahead, absurd or missing becomes the time of receipt, so that no report misses the event. */
function clamp(at: Date | undefined, now: Date): Date {
  const ms = at?.getTime() ?? Number.NaN;
  return ms > 0 && ms < now.getTime() ? new Date(ms) : now;
}

/** A model is whatever the client called it. PostgreSQL refuses NUL in text, and a cut must not go through a character. */
function cleanModel(model: string): string {
  return Array.from(model.replaceAll('\0', '')).slice(0, MODEL_LENGTH).join('');
}
