import type { Pool } from 'pg';

/** How many conversations an upstream project has. */
export interface StoredProjectCount {
  upstreamProjectId: string;
  conversations: number;
}

const COUNT = `
SELECT upstream_project_id AS "upstreamProjectId", count(*)::int AS conversations
FROM conversations
WHERE workspace_id = $1 AND upstream_project_id = ANY ($2::text[]) AND upstream_project_id IS NOT NULL AND deleted_at IS NULL
GROUP BY upstream_project_id ORDER BY upstream_project_id`;

/** The counts of those projects that have any; deleted conversations are left out. */
export async function countOfProjects(pool: Pool, workspaceId: string, projectIds: readonly string[]): Promise<StoredProjectCount[]> {
  const { rows } = await pool.query<StoredProjectCount>(COUNT, [workspaceId, projectIds]);
  return rows;
}
