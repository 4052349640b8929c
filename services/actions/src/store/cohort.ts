import { type Database } from './database.ts';

/** Whether a workspace is in the beta cohort. */
export async function isMember({ pool }: Database, workspaceId: string): Promise<boolean> {
  return (await pool.query('SELECT 1 FROM cohort WHERE workspace_id = $1', [workspaceId])).rowCount === 1;
}

/** Adds a workspace to the beta, or removes it. */
export async function setMember({ pool }: Database, workspaceId: string, member: boolean): Promise<void> {
  const change = member
    ? 'INSERT INTO cohort (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING'
    : 'DELETE FROM cohort WHERE workspace_id = $1';
  await pool.query(change, [workspaceId]);
}

/** Returns the ids of all workspaces of the beta, in the order in which they were added. */
export async function listMembers({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT workspace_id AS id FROM cohort ORDER BY added_at, workspace_id');
  return rows.map(({ id }) => id);
}
