import type { Pool } from 'pg';

/** Number of conversations of an upstream project. */
export interface ProjectCount {
  upstreamProjectId: string;
  conversations: number;
}

const COUNT_BY_PROJECT = `
SELECT upstream_project_id AS "upstreamProjectId", count(*)::int AS conversations
FROM conversations
WHERE workspace_id = $1 AND upstream_project_id = ANY ($2::text[]) AND upstream_project_id IS NOT NULL AND deleted_at IS NULL
  AND NOT refused
GROUP BY upstream_project_id ORDER BY upstream_project_id`;

/** Counts the conversations of each project that has any, as lists show them: without deleted and refused ones. */
export async function countByProject(pool: Pool, workspaceId: string, projectIds: readonly string[]): Promise<ProjectCount[]> {
  const { rows } = await pool.query<ProjectCount>(COUNT_BY_PROJECT, [workspaceId, projectIds]);
  return rows;
}

const COUNT_BOUND = `
SELECT count(*)::int AS count FROM conversations WHERE workspace_id = $1 AND upstream_account_id = $2 AND deleted_at IS NULL`;

/** Counts the conversations of a workspace on a connection, without deleted ones. Reads all rows of the workspace. */
export async function countBoundConversations(pool: Pool, workspaceId: string, upstreamAccountId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(COUNT_BOUND, [workspaceId, upstreamAccountId]);
  return rows[0]?.count ?? 0;
}
