import type { Pool } from 'pg';
import type { Ownership } from '../domain/access.ts';
import { type Liveness, abandoned, livenessParameters } from './liveness.ts';

/** Where a conversation lives, whose it is, and how its last turn stands. */
export interface StoredBinding extends Ownership {
  id: string;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  destinationType: string;
  model: string;
  continuityStatus: string;
  upstreamState: string;
  /** Null when no turn has begun. */
  lastTurnId: string | null;
  /** Null while the last turn has not ended. */
  lastStatus: string | null;
  /** Null for a request that is like no other. */
  lastDigest: Buffer | null;
  /** The turn that brought the messages which the last one was asked: itself, unless it repeats another. */
  askedTurnId: string | null;
  /** 0 when no turn has begun. */
  lastSequence: number;
  /** The last turn has not ended. */
  busy: boolean;
  /** The last turn has not ended and nobody runs it any more. */
  abandoned: boolean;
}

/** `OFFSET 0` keeps each lookup a lookup: the planner may not turn it into a join that reads a table. */
const READ_BINDINGS = `
SELECT c.id, c.workspace_id AS "workspaceId", c.owner_key_id AS "ownerKeyId", c.owner_user_id AS "ownerUserId", c.deleted_at AS "deletedAt",
  c.upstream_account_id AS "upstreamAccountId", c.upstream_project_id AS "upstreamProjectId", c.destination_type AS "destinationType", c.model,
  c.continuity_status AS "continuityStatus", c.upstream_state AS "upstreamState",
  t.id AS "lastTurnId", COALESCE(t.sequence, 0) AS "lastSequence", e.status AS "lastStatus", t.request_digest AS "lastDigest",
  CASE WHEN t.message_count > 0 THEN t.id ELSE (SELECT a.id FROM turns a
    WHERE a.conversation_id = g.id AND a.sequence < t.sequence AND a.message_count > 0 ORDER BY a.sequence DESC LIMIT 1) END AS "askedTurnId",
  t.id IS NOT NULL AND e.turn_id IS NULL AS busy,
  t.id IS NOT NULL AND e.turn_id IS NULL AND ${abandoned(2)} AS abandoned
FROM unnest($1::uuid[]) AS g (id)
CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = g.id OFFSET 0) c
LEFT JOIN LATERAL (SELECT * FROM turns WHERE conversation_id = g.id ORDER BY sequence DESC LIMIT 1) t ON true
LEFT JOIN LATERAL (SELECT turn_id, status FROM turn_ends WHERE turn_id = t.id OFFSET 0) e ON true
LEFT JOIN LATERAL (SELECT * FROM turn_runners WHERE runner_id = t.runner_id OFFSET 0) r ON true`;

/** The bindings of conversations, deleted or not; undefined for an unknown id. Ids are UUIDs in lower case. */
export async function readBindings(pool: Pool, ids: readonly string[], liveness: Liveness): Promise<(StoredBinding | undefined)[]> {
  const values = [[...new Set(ids)], ...livenessParameters(liveness)];
  const { rows } = await pool.query<StoredBinding>({ name: 'read-bindings', text: READ_BINDINGS, values });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}
