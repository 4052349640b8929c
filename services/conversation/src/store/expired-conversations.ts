import { listNonMonthlyPartitions, type MonthPartition } from '@parley/kit/db/monthly-partitions';
import { transaction } from '@parley/kit/db/pool';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import type { Pool, PoolClient } from 'pg';
import { type ChangedConversation, toConversationEvent } from '../domain/conversation-event.ts';
import { UUID_BOUNDS, toLowestUuid } from '../domain/turn-id-range.ts';
import { intervalSql } from './abandonment-limits.ts';
import { MESSAGES_TABLE, TURN_ENDS_TABLE, TURNS_TABLE } from './monthly-tables.ts';
import { insertEvents } from './outbox.ts';
import { lockSearchIndex, removeFromIndex } from './search-index.ts';
import { type Store } from './store.ts';

/** Conversations that one transaction changes. */
const BATCH = 200;
/** Conversations that one statement reads. */
const PAGE = 1_000;
/** How long the rows of a deleted conversation are kept: longer than a turn that still runs in it may take. */
const DELETED_FOR = "interval '2 hours'";

interface FoundRow {
  id: string;
  workspaceId: string;
  isIdle: boolean;
}

interface ExpiredRow extends ChangedConversation {
  at: Date;
}

const SELECT_IDLE = `
SELECT id, workspace_id AS "workspaceId", deleted_at IS NULL AND last_message_at < now() - ${intervalSql(3)} AS "isIdle"
FROM conversations WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${PAGE}`;

/** A running turn is not yet activity of its conversation, so the start of the last turn is checked as well. */
const EXPIRE = `
UPDATE conversations c SET deleted_at = now(), updated_at = now()
FROM (SELECT id FROM conversations WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE) given
WHERE c.id = given.id AND c.deleted_at IS NULL AND c.last_message_at < now() - ${intervalSql(2)}
  AND COALESCE((SELECT t.started_at FROM turns t WHERE t.conversation_id = c.id ORDER BY t.sequence DESC LIMIT 1), c.created_at) < now() - ${intervalSql(2)}
RETURNING c.id, c.workspace_id AS "workspaceId", c.owner_user_id AS "ownerUserId", c.status, c.continuity_status AS "continuityStatus", now() AS at`;

/** Soft-deletes the conversations that were idle for `retentionMs`, like their owners would; returns their number. */
export async function softDeleteIdleConversations(store: Store, retentionMs: number, signal: AbortSignal): Promise<number> {
  const { generalPool } = store.database;
  // A conversation that began later cannot have been idle for that long.
  const before = toLowestUuid(new Date(store.clock.now().getTime() - retentionMs));
  let expired = 0;
  for (let after: string | undefined = UUID_BOUNDS.lowest; after !== undefined && !signal.aborted;) {
    const { rows }: { rows: FoundRow[] } = await generalPool.query<FoundRow>(SELECT_IDLE, [after, before, retentionMs]);
    const idle = new Map<string, string[]>();
    for (const { id, workspaceId, isIdle } of rows) if (isIdle) idle.set(workspaceId, [...(idle.get(workspaceId) ?? []), id]);
    for (const [workspaceId, ids] of idle) {
      while (ids.length > 0) expired += await expire(store, workspaceId, ids.splice(0, BATCH), retentionMs);
    }
    after = rows.at(-1)?.id;
  }
  return expired;
}

async function expire(store: Store, workspaceId: string, ids: readonly string[], retentionMs: number): Promise<number> {
  const expired = await transaction(store.database.generalPool, async (client) => {
    await lockSearchIndex(client, workspaceId, 'shared');
    const { rows } = await client.query<ExpiredRow>(EXPIRE, [ids, retentionMs]);
    await removeFromIndex(
      client,
      rows.map(({ id }) => id),
    );
    await insertEvents(
      client,
      rows.map((row) => toConversationEvent('deleted', row, row.at)),
    );
    return rows.length;
  });
  if (expired > 0) store.wakeOutboxRelay();
  return expired;
}

/**
 * Deletes the rows of conversations that were soft-deleted more than two hours ago; returns the number of conversations. Turns, ends and
 * messages in monthly partitions stay until the partition is dropped; they are unreachable without their conversation.
 */
export async function purgeDeletedConversations({ database: { generalPool } }: Store, signal: AbortSignal): Promise<number> {
  const [turns, ends, messages] = await Promise.all(
    [TURNS_TABLE, TURN_ENDS_TABLE, MESSAGES_TABLE].map((table) => listNonMonthlyPartitions(generalPool, table)),
  );
  return runInBatches(
    BATCH,
    (size) =>
      transaction(generalPool, async (client) => {
        const ids = await lockDeleted(client, size);
        const { rows } = await client.query<{ id: string }>('SELECT id FROM turns WHERE conversation_id = ANY ($1::uuid[])', [ids]);
        const turnIds = rows.map(({ id }) => id);
        const remove = async (tables: readonly string[] = [], column: string, values: readonly string[]) => {
          for (const table of tables) await client.query(`DELETE FROM ${table} WHERE ${column} = ANY ($1::uuid[])`, [values]);
        };
        await remove([...(ends ?? []), 'turn_partials'], 'turn_id', turnIds);
        await remove([...(messages ?? []), ...(turns ?? []), 'message_assets', 'participants'], 'conversation_id', ids);
        await removeFromIndex(client, ids);
        await remove(['conversations'], 'id', ids);
        return ids.length;
      }),
    signal,
  );
}

async function lockDeleted(client: PoolClient, size: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM conversations WHERE deleted_at < now() - ${DELETED_FOR} ORDER BY deleted_at LIMIT ${size} FOR UPDATE SKIP LOCKED`,
  );
  return rows.map(({ id }) => id);
}

/** Time without a new turn before the rows of a conversation are moved: longer than any process acts on what it read before. */
const QUIET = "interval '1 hour'";

const SELECT_LIVING = `SELECT id FROM conversations WHERE id > $1 AND id < $2 AND deleted_at IS NULL ORDER BY id LIMIT ${BATCH}`;

/** Takes a lock that the ends of turns wait for. */
const LOCK_QUIET = `
SELECT c.id FROM conversations c WHERE c.id = ANY ($1::uuid[])
  AND NOT EXISTS (SELECT FROM turns t WHERE t.conversation_id = c.id AND t.started_at > now() - ${QUIET})
ORDER BY c.id FOR NO KEY UPDATE`;

const KEEP = [
  `UPDATE turn_ends SET kept = true WHERE NOT kept
   AND turn_id = ANY (ARRAY(SELECT id FROM turns WHERE conversation_id = ANY ($1::uuid[])))`,
  'UPDATE messages SET kept = true WHERE NOT kept AND conversation_id = ANY ($1::uuid[])',
  'UPDATE turns SET kept = true WHERE NOT kept AND conversation_id = ANY ($1::uuid[])',
];

/** Moves the rows of existing conversations that began before `until` out of their monthly partitions, except those in use. */
export async function moveRowsOutOfPartitions(pool: Pool, until: Date, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = UUID_BOUNDS.lowest; after !== undefined && !signal.aborted;) {
    const { rows }: { rows: { id: string }[] } = await pool.query<{ id: string }>(SELECT_LIVING, [after, toLowestUuid(until)]);
    await transaction(pool, async (client) => {
      const quiet = await client.query<{ id: string }>(LOCK_QUIET, [rows.map(({ id }) => id)]);
      for (const statement of KEEP) await client.query(statement, [quiet.rows.map(({ id }) => id)]);
    });
    after = rows.at(-1)?.id;
  }
}

/**
 * True when a monthly partition contains no rows of existing conversations. Checks only rows that may have been added since they were
 * moved: by new turns or a sync. `since`: when the move began.
 */
export async function isPartitionUnused(client: PoolClient, { name, until }: MonthPartition, since: Date): Promise<boolean> {
  const { rows } = await client.query<{ isUsed: boolean }>(
    `SELECT EXISTS (SELECT FROM ${TURNS_TABLE.name}_${name} t JOIN conversations c ON c.id = t.conversation_id
       WHERE t.started_at > $1::timestamptz - ${QUIET} AND c.deleted_at IS NULL)
     OR EXISTS (SELECT FROM conversations c WHERE c.id < $2 AND c.deleted_at IS NULL AND c.updated_at > $1::timestamptz - ${QUIET}
       AND EXISTS (SELECT FROM ${MESSAGES_TABLE.name}_${name} m WHERE m.conversation_id = c.id)) AS "isUsed"`,
    [since, toLowestUuid(until)],
  );
  return rows[0]?.isUsed === false;
}
