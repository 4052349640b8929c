import type { Pool } from 'pg';
import { type Ownership } from '../domain/permission.ts';
import { type StoredAttempt } from '../domain/turn-attempts.ts';
import { isRefusedTurn } from '../domain/turn.ts';
import { type AbandonmentLimits, isAbandonedSql, toAbandonmentParameters } from './abandonment-limits.ts';
import { isAcceptedBeforeSql } from './accepted-turns-sql.ts';

/** Owner and binding of a conversation, and the state of its last turn. */
export interface StoredBinding extends Ownership {
  id: string;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  destinationType: string;
  model: string;
  continuityStatus: string;
  upstreamState: string;
  /** Whether the caller named the connection when it created the conversation. */
  accountNamed: boolean;
  /** An upstream accepted a turn, or may have; true while a turn is running. */
  started: boolean;
  /** Null before the first turn. */
  lastTurnId: string | null;
  /** Null while the last turn has not ended. */
  lastStatus: string | null;
  /** Null while the last turn has not ended. */
  lastEndedAt: Date | null;
  /** Null while the last turn has not ended. */
  lastFinishReason: string | null;
  /** Null for a last turn that its first connection answered. */
  lastAttempts: StoredAttempt[] | null;
  /** Null for a request without a digest, which equals no other. */
  lastDigest: Buffer | null;
  /** The turn with the request messages of the last one: itself, unless it repeats another. */
  askedTurnId: string | null;
  /** 0 before the first turn. */
  lastSequence: number;
  /** The last turn has not ended. */
  busy: boolean;
  /** The last turn has not ended and is abandoned. */
  abandoned: boolean;
}

/** `OFFSET 0` keeps the planner from turning an index lookup into a join that reads a whole table. */
const READ_BINDINGS = `
SELECT c.id, c.workspace_id AS "workspaceId", c.owner_key_id AS "ownerKeyId", c.owner_user_id AS "ownerUserId", c.deleted_at AS "deletedAt",
  c.upstream_account_id AS "upstreamAccountId", c.upstream_project_id AS "upstreamProjectId", c.destination_type AS "destinationType", c.model,
  c.continuity_status AS "continuityStatus", c.upstream_state AS "upstreamState", c.account_named AS "accountNamed",
  t.id AS "lastTurnId", COALESCE(t.sequence, 0) AS "lastSequence", e.status AS "lastStatus", e.ended_at AS "lastEndedAt",
  e.finish_reason AS "lastFinishReason", e.attempts AS "lastAttempts", t.request_digest AS "lastDigest",
  CASE WHEN t.message_count > 0 THEN t.id ELSE (SELECT a.id FROM turns a
    WHERE a.conversation_id = g.id AND a.sequence < t.sequence AND a.message_count > 0 ORDER BY a.sequence DESC LIMIT 1) END AS "askedTurnId",
  t.id IS NOT NULL AND e.turn_id IS NULL AS busy,
  t.id IS NOT NULL AND e.turn_id IS NULL AND ${isAbandonedSql(2)} AS abandoned
FROM unnest($1::uuid[]) AS g (id)
CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = g.id OFFSET 0) c
LEFT JOIN LATERAL (SELECT * FROM turns WHERE conversation_id = g.id ORDER BY sequence DESC LIMIT 1) t ON true
LEFT JOIN LATERAL (SELECT turn_id, status, finish_reason, attempts, ended_at FROM turn_ends WHERE turn_id = t.id AND conversation_id = g.id OFFSET 0) e ON true
LEFT JOIN LATERAL (SELECT * FROM turn_runners WHERE runner_id = t.runner_id OFFSET 0) r ON true`;

/** A separate statement, because few conversations need it. */
const READ_ACCEPTED = `
SELECT g.id FROM unnest($1::uuid[], $2::int[]) AS g (id, sequence) WHERE ${isAcceptedBeforeSql('g.id', 'g.sequence')}`;

/** Reads the bindings of conversations, deleted or not; undefined for an unknown id. Ids are UUIDs in lower case. */
export async function readBindings(pool: Pool, ids: readonly string[], limits: AbandonmentLimits): Promise<(StoredBinding | undefined)[]> {
  const values = [[...new Set(ids)], ...toAbandonmentParameters(limits)];
  const { rows } = await pool.query<BindingRow>({ name: 'read-bindings', text: READ_BINDINGS, values });
  const accepted = await readAccepted(pool, rows.filter(isUndecided));
  const found = new Map(rows.map((row) => [row.id, { ...row, started: isUndecided(row) ? accepted.has(row.id) : isStarted(row) }]));
  return ids.map((id) => found.get(id));
}

type BindingRow = Omit<StoredBinding, 'started'>;

/** Whether the last turn or the upstream state shows that the conversation has started. */
function isStarted({ upstreamState, lastTurnId, lastStatus, lastFinishReason }: BindingRow): boolean {
  return upstreamState !== '' || (lastTurnId !== null && !isRefusedTurn(lastStatus, lastFinishReason));
}

function isUndecided(row: BindingRow): boolean {
  return row.lastSequence > 1 && !isStarted(row);
}

/** Ids of the conversations with an accepted turn before the last one. */
async function readAccepted(pool: Pool, undecided: readonly BindingRow[]): Promise<Set<string>> {
  if (undecided.length === 0) return new Set();
  const values = [undecided.map(({ id }) => id), undecided.map(({ lastSequence }) => lastSequence)];
  const { rows } = await pool.query<{ id: string }>({ name: 'read-accepted', text: READ_ACCEPTED, values });
  return new Set(rows.map(({ id }) => id));
}
