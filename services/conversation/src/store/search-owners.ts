import type { Pool, PoolClient } from 'pg';

/** An owner of conversations: a key, or a user who owns conversations without a key. */
export interface SearchOwner {
  workspaceId: string;
  ownerId: string;
  isKey: boolean;
}

/** The lowest UUID: an index covers conversations up to its time, without those at that time. */
export const MIN_UUID = '00000000-0000-0000-0000-000000000000';

/** How long an index is kept without a search. */
const INDEX_RETENTION = "interval '30 days'";
/** An index is brought up to date this often, for a day after a search and once after a later search. */
const REFRESH = "interval '5 minutes'";
const REFRESHED_FOR = "interval '1 day'";
/** Duration of a claim; longer than one step of the work on an index takes. */
const LEASE = "interval '1 minute'";
/** Maximum messages that are read to decide whether an owner has enough text for an index. */
const SAMPLE = 20_000;

/** SQL: conversations `c` of the owner with this workspace, id and kind. */
export const ownerConditionSql = ({ isKey }: SearchOwner) =>
  `c.workspace_id = $1 AND ${isKey ? 'c.owner_key_id = $2' : 'c.owner_key_id IS NULL AND c.owner_user_id = $2'} AND c.deleted_at IS NULL AND NOT c.refused`;

/** Records that an owner searched; false for an owner without an index. */
export async function recordSearch(pool: Pool, { workspaceId, ownerId }: SearchOwner): Promise<boolean> {
  const text = 'UPDATE search_owners SET last_searched_at = now() WHERE workspace_id = $1 AND owner_id = $2';
  return (await pool.query(text, [workspaceId, ownerId])).rowCount === 1;
}

/** Adds an owner, with an empty index, if its messages have more than `bytes` bytes. */
export async function addOwner(pool: Pool, owner: SearchOwner, bytes: number): Promise<boolean> {
  const text = `
    INSERT INTO search_owners (workspace_id, owner_id, is_key, covered_until, covered_id, lease_until)
    SELECT $1, $2, $3, to_timestamp(0), '${MIN_UUID}', to_timestamp(0) WHERE $4 < (SELECT sum(size) FROM (
      SELECT m.size FROM conversations c
      CROSS JOIN LATERAL (SELECT octet_length(content) AS size FROM messages WHERE conversation_id = c.id OFFSET 0) m
      WHERE ${ownerConditionSql(owner)} LIMIT ${SAMPLE}) sample)
    ON CONFLICT DO NOTHING`;
  return (await pool.query(text, [owner.workspaceId, owner.ownerId, owner.isKey, bytes])).rowCount === 1;
}

/**
 * Claims an owner whose index is out of date or was not searched for long, for `LEASE`; undefined when there is none. The lease only avoids
 * duplicate work of replicas; the lock of the index guarantees correctness.
 */
export async function claimOwner(pool: Pool): Promise<SearchOwner | undefined> {
  const { rows } = await pool.query<SearchOwner>(`
    UPDATE search_owners o SET lease_until = now() + ${LEASE}
    FROM (SELECT workspace_id, owner_id FROM search_owners
      WHERE lease_until < now() AND (last_searched_at < now() - ${INDEX_RETENTION} OR covered_until < now() - ${REFRESH} - ${COMMIT_GRACE}
        AND last_searched_at > LEAST(now() - ${REFRESHED_FOR}, covered_until))
      ORDER BY last_searched_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED) due
    WHERE o.workspace_id = due.workspace_id AND o.owner_id = due.owner_id
    RETURNING o.workspace_id AS "workspaceId", o.owner_id AS "ownerId", o.is_key AS "isKey"`);
  return rows[0];
}

/** Releases a claimed owner. */
export async function releaseOwner(pool: Pool, { workspaceId, ownerId }: SearchOwner): Promise<void> {
  await pool.query('UPDATE search_owners SET lease_until = now() WHERE workspace_id = $1 AND owner_id = $2', [workspaceId, ownerId]);
}

/** Activity of the last minute may be of transactions that have not committed yet, so the index does not cover it. */
const COMMIT_GRACE = "interval '1 minute'";

/** The state of a locked owner. Times are texts, exact to the microsecond. */
export interface OwnerState {
  coveredUntil: string;
  coveredId: string;
  /** Time up to which the index may cover conversations now. */
  settledUntil: string;
  /** Whether the index was not searched for so long that it is dropped. */
  isExpired: boolean;
}

/** Locks an owner until the transaction ends, and renews the claim; undefined when the owner has no index any more. */
export async function lockOwner(client: PoolClient, { workspaceId, ownerId }: SearchOwner): Promise<OwnerState | undefined> {
  const { rows } = await client.query<OwnerState>(
    `UPDATE search_owners SET lease_until = clock_timestamp() + ${LEASE} WHERE workspace_id = $1 AND owner_id = $2
     RETURNING covered_until::text AS "coveredUntil", covered_id AS "coveredId",
       (clock_timestamp() - ${COMMIT_GRACE})::timestamptz(3)::text AS "settledUntil", last_searched_at < now() - ${INDEX_RETENTION} AS "isExpired"`,
    [workspaceId, ownerId],
  );
  return rows[0];
}

/** Sets how far the index covers the conversations of an owner. */
export async function setCoveredUntil(client: PoolClient, { workspaceId, ownerId }: SearchOwner, until: string, id: string): Promise<void> {
  const text = 'UPDATE search_owners SET covered_until = $3, covered_id = $4 WHERE workspace_id = $1 AND owner_id = $2';
  await client.query(text, [workspaceId, ownerId, until, id]);
}

/** Deletes an owner whose index is empty. */
export async function deleteSearchOwner(client: PoolClient, { workspaceId, ownerId }: SearchOwner): Promise<void> {
  await client.query('DELETE FROM search_owners WHERE workspace_id = $1 AND owner_id = $2', [workspaceId, ownerId]);
}
