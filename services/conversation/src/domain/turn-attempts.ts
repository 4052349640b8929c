import { type TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { truncate, toStorableJsonText } from './storable-text.ts';

/** Maximum stored attempts of one turn; runners make fewer. */
export const MAX_STORED_ATTEMPTS = 8;
/** Maximum stored characters of an upstream's error message. */
export const MAX_ATTEMPT_MESSAGE_LENGTH = 300;

/** An attempt as it is stored in JSON. `outcome` is `ok` or the condition of its error; `upstream_status` is 0 without an HTTP status. */
export interface StoredAttempt {
  connection_id: string;
  outcome: string;
  upstream_status: number;
  words: string;
  duration_ms: number;
}

/** Converts the attempts of a turn to JSON text; null for a turn that its first connection answered. */
export function attemptsToJson(attempts: readonly TurnAttempt[]): string | null {
  return attempts.length === 0 ? null : JSON.stringify(attempts.slice(0, MAX_STORED_ATTEMPTS).map(toStored));
}

/** Ids of the connections whose attempts failed, each once, in order. */
export function listFailedConnectionIds(attempts: readonly StoredAttempt[] | null): string[] {
  const failed = (attempts ?? []).filter(({ outcome }) => outcome !== 'ok');
  return [...new Set(failed.map(({ connection_id }) => connection_id))];
}

/** The fields of a turn from which its attempts are derived; `status` is null while it is streaming. */
export interface TurnAttemptFields {
  attempts: readonly StoredAttempt[] | null;
  status: string | null;
  connectionId: string;
  errorCondition: string | null;
  routedMs: number | null;
  committedMs: number | null;
  askedMs: number | null;
  answeredMs: number | null;
  durationMs: number | null;
}

/**
 * Returns the attempts of a turn, in order. A turn whose first connection answered has none stored: its only attempt is derived from its
 * end. Empty for a turn that is streaming, and for one that was never sent to an upstream.
 */
export function toTurnAttempts(turn: TurnAttemptFields): TurnAttempt[] {
  const { attempts, status, connectionId, askedMs, answeredMs, durationMs } = turn;
  if (attempts) return attempts.map(fromStored);
  const isTimed = turn.routedMs !== null || turn.committedMs !== null;
  if (status === null || (isTimed && askedMs === null)) return [];
  const took = askedMs !== null && answeredMs !== null ? Math.max(0, answeredMs - askedMs) : (durationMs ?? 0);
  const outcome = status === 'completed' ? 'ok' : (turn.errorCondition ?? status);
  return [{ connectionId, outcome, upstreamStatus: 0, words: '', durationMs: took }];
}

function fromStored({ connection_id, outcome, upstream_status, words, duration_ms }: StoredAttempt): TurnAttempt {
  return { connectionId: connection_id, outcome, upstreamStatus: upstream_status, words, durationMs: duration_ms };
}

function toStored({ connectionId, outcome, upstreamStatus, words, durationMs }: TurnAttempt): StoredAttempt {
  return {
    connection_id: toStorableJsonText(connectionId),
    outcome: toStorableJsonText(outcome),
    upstream_status: upstreamStatus,
    words: truncate(toStorableJsonText(words), MAX_ATTEMPT_MESSAGE_LENGTH),
    duration_ms: durationMs,
  };
}
