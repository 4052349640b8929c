import type { PoolClient } from 'pg';

/** Locks a conversation or project until the end of the transaction: a removal excludes additions; additions may run concurrently. */
export async function lockParent(client: PoolClient, id: string, how: 'to add' | 'to remove'): Promise<void> {
  const lock = how === 'to add' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await client.query(`SELECT ${lock}(hashtextextended($1, 0))`, [`asset-parent:${id}`]);
}

/** Whether the conversation or project was deleted. */
export async function isParentRemoved(client: PoolClient, id: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM removed_parents WHERE id = $1', [id]);
  return rowCount === 1;
}
