import { type TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { truncate, toStorableJson } from './text.ts';

/** Stored attempts of one turn; a runner makes fewer. */
export const MAX_ATTEMPTS = 8;
/** Stored characters of an upstream's answer. */
export const MAX_WORDS = 300;

/** A stored attempt. */
export interface StoredAttempt {
  connection_id: string;
  outcome: string;
  upstream_status: number;
  words: string;
  duration_ms: number;
}

/** Converts the attempts of a turn to JSON text; null for a turn that its first connection answered. */
export function attemptsToJson(attempts: readonly TurnAttempt[]): string | null {
  return attempts.length === 0 ? null : JSON.stringify(attempts.slice(0, MAX_ATTEMPTS).map(toStored));
}

/** The connections that failed, each once, in order. */
export function failedAccountIds(attempts: readonly StoredAttempt[] | null): string[] {
  const failed = (attempts ?? []).filter(({ outcome }) => outcome !== 'ok');
  return [...new Set(failed.map(({ connection_id }) => connection_id))];
}

function toStored({ connectionId, outcome, upstreamStatus, words, durationMs }: TurnAttempt): StoredAttempt {
  return {
    connection_id: toStorableJson(connectionId),
    outcome: toStorableJson(outcome),
    upstream_status: upstreamStatus,
    words: truncate(toStorableJson(words), MAX_WORDS),
    duration_ms: durationMs,
  };
}
