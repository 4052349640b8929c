import type { Pool } from 'pg';
import { type StoredAttempt } from '../domain/turn-attempts.ts';
import { type TimeRange } from '../domain/turn-id-range.ts';
import { type StoredTurnTimes } from '../domain/turn.ts';

/** The facts of a turn for the operator, without content. Fields of the turn's end are null while it is streaming. */
export interface StoredTurnDetails extends StoredTurnTimes {
  turnId: string;
  requestId: string;
  conversationId: string;
  workspaceId: string;
  keyId: string;
  sequence: number;
  model: string;
  connectionId: string;
  startedAt: Date;
  status: string | null;
  finishReason: string | null;
  tokensIn: number | null;
  tokensOut: number | null;
  durationMs: number | null;
  endedAt: Date | null;
  attempts: StoredAttempt[] | null;
  routeReason: string | null;
  errorCondition: string | null;
  errorMessage: string | null;
  errorParam: string | null;
  errorRetryAfterMs: number | null;
}

/** `OFFSET 0` forces an index lookup for each turn, independent of the planner's estimate of the filters. */
const STORIES = `
SELECT t.id AS "turnId", t.request_id AS "requestId", t.conversation_id AS "conversationId", t.workspace_id AS "workspaceId", t.key_id AS "keyId",
  t.sequence, COALESCE(e.model, t.model) AS model, COALESCE(NULLIF(e.connection_id, ''), t.upstream_account_id) AS "connectionId",
  t.started_at AS "startedAt", e.status, e.finish_reason AS "finishReason", e.tokens_in AS "tokensIn", e.tokens_out AS "tokensOut",
  e.duration_ms AS "durationMs", e.ended_at AS "endedAt", e.attempts, e.route_reason AS "routeReason", e.error_condition AS "errorCondition",
  e.error_message AS "errorMessage", e.error_param AS "errorParam", e.error_retry_after_ms AS "errorRetryAfterMs", e.routed_ms AS "routedMs",
  e.committed_ms AS "committedMs", e.asked_ms AS "askedMs", e.accepted_ms AS "acceptedMs", e.first_token_ms AS "firstTokenMs",
  e.answered_ms AS "answeredMs"
FROM turns t LEFT JOIN LATERAL (SELECT * FROM turn_ends WHERE turn_id = t.id OFFSET 0) e ON true`;

/** Maximum listed turns of one request; of more, the newest. */
const MAX_OF_REQUEST = 100;

/**
 * The turns of a request: those in the period that its id begins with, those found by the index of other request ids (ADR 0053), and the
 * turn with the id $4. `AND NOT is_timed_request_id` is the condition of that partial index.
 */
const OF_REQUEST = `${STORIES} WHERE t.id IN (
  (SELECT id FROM turns WHERE request_id = $1 AND started_at >= $2 AND started_at < $3)
  UNION (SELECT id FROM turns WHERE request_id = $1 AND NOT is_timed_request_id(request_id, started_at) ORDER BY id DESC LIMIT ${MAX_OF_REQUEST})
  UNION (SELECT $4::uuid)
) ORDER BY t.id DESC LIMIT ${MAX_OF_REQUEST}`;

/**
 * Lists the turns of a request, oldest first. `during`: period in which they started if the request id begins with its time. `turnId`: id
 * of an additional turn.
 */
export async function listTurnsOfRequest(
  pool: Pool,
  requestId: string,
  during: TimeRange | null,
  turnId: string | null,
): Promise<StoredTurnDetails[]> {
  const { rows } = await pool.query<StoredTurnDetails>(OF_REQUEST, [requestId, during?.since ?? null, during?.until ?? null, turnId]);
  return rows.reverse();
}

/** Filters of a list of turns. Null and empty filters match everything. */
export interface TurnDetailsFilter {
  status: string | null;
  errorConditions: readonly string[];
  keyId: string | null;
  connectionId: string | null;
  workspaceId: string | null;
  /** Matches `StoredTurnDetails.model`. */
  model: string | null;
  /** Minimum duration in milliseconds; for a running turn, its age. 0 matches everything. */
  slowerThanMs: number;
}

/** A range of turn ids, which are ordered by time. */
export interface TurnIdRange {
  /** Inclusive. */
  from: string;
  /** Exclusive. */
  before: string;
}

/** A page, the newest turn first. */
export interface TurnDetailsPage {
  turns: StoredTurnDetails[];
  /** The next page has the turns with ids before this one; null for the last page. */
  before: string | null;
}

/** Maximum turns that one page reads; it contains the matching ones. */
const MAX_READ = 10_000;

const PAGE = `${STORIES}
WHERE t.id >= $1 AND t.id < $2 AND ($3::uuid IS NULL OR t.key_id = $3) AND ($4::uuid IS NULL OR t.workspace_id = $4)
  AND ($5::text IS NULL OR COALESCE(NULLIF(e.connection_id, ''), t.upstream_account_id) = $5)
  AND ($6::text IS NULL OR COALESCE(e.status, 'streaming') = $6)
  AND ($7::text[] = '{}' OR e.error_condition = ANY ($7))
  AND ($8::float8 = 0 OR COALESCE(e.duration_ms, extract(epoch FROM now() - t.started_at) * 1000) >= $8)
  AND ($9::text IS NULL OR COALESCE(e.model, t.model) = $9)
ORDER BY t.id DESC LIMIT $10`;

/** Lists one page of turns in a range; reads at most `MAX_READ` of them. */
export async function listTurnDetails(pool: Pool, range: TurnIdRange, filter: TurnDetailsFilter, limit: number): Promise<TurnDetailsPage> {
  const lowest = await findLowest(pool, range);
  const { keyId, workspaceId, connectionId, status, errorConditions, slowerThanMs, model } = filter;
  const ids = [keyId, workspaceId, connectionId];
  const values = [lowest ?? range.from, range.before, ...ids, status, errorConditions, slowerThanMs, model, limit + 1];
  const { rows } = await pool.query<StoredTurnDetails>(PAGE, values);
  const turns = rows.slice(0, limit);
  return { turns, before: rows.length > limit ? (turns.at(-1)?.turnId ?? null) : lowest };
}

/** Finds the lowest id that one page reads; null when the range has fewer than `MAX_READ` turns. */
async function findLowest(pool: Pool, { from, before }: TurnIdRange): Promise<string | null> {
  const text = 'SELECT id FROM turns WHERE id >= $1 AND id < $2 ORDER BY id DESC OFFSET $3 LIMIT 1';
  const { rows } = await pool.query<{ id: string }>(text, [from, before, MAX_READ - 1]);
  return rows[0]?.id ?? null;
}
