import type { TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { truncate, toStorableJson } from './text.ts';

/** Attempts kept of one turn; a runner makes fewer. */
export const MAX_ATTEMPTS = 8;
/** Characters kept of what an upstream said. */
export const MAX_WORDS = 300;

/** An attempt as it is stored. */
export interface StoredAttempt {
  connection_id: string;
  outcome: string;
  upstream_status: number;
  words: string;
  duration_ms: number;
}

/** The attempts of a turn as JSON text; null for a turn that its first account answered. */
export function attemptsToJson(attempts: readonly TurnAttempt[]): string | null {
  return attempts.length === 0 ? null : JSON.stringify(attempts.slice(0, MAX_ATTEMPTS).map(toStored));
}

/** The accounts that failed, each once, in the order in which they did. */
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
