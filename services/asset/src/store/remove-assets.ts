import { transaction } from '@parley/kit/db/pool';
import { type Database } from './database.ts';
import { lockParent } from './parents.ts';

/** The blobs of rows that are gone, for the caller to delete; what a crash leaves is the sweeper's. */
export type OrphanedBlobs = string[];

/** Removes one asset of a workspace. */
export async function removeAsset({ pool }: Database, id: string, workspaceId: string): Promise<OrphanedBlobs> {
  return toOrphans(
    await pool.query<BlobRow>('DELETE FROM assets WHERE id = $1 AND workspace_id = $2 RETURNING blob_key', [id, workspaceId]),
  );
}

/** Removes the asset of a project's file. */
export async function removeProjectFile(
  { pool }: Database,
  projectId: string,
  fileId: string,
  workspaceId: string,
): Promise<OrphanedBlobs> {
  const sql = 'DELETE FROM assets WHERE project_id = $1 AND file_id = $2 AND workspace_id = $3 RETURNING blob_key';
  return toOrphans(await pool.query<BlobRow>(sql, [projectId, fileId, workspaceId]));
}

/** What assets belong to. */
export type ParentKind = 'conversation' | 'project';

/** A file that was uploaded, as chat-routing knows it. */
export interface UploadedFile {
  fileId: string;
  workspaceId: string;
}

/** Lets nothing be added any more to a conversation or a project that is gone; gives the files that were uploaded to it. */
export function markParentRemoved({ pool }: Database, kind: ParentKind, id: string): Promise<UploadedFile[]> {
  return transaction(pool, async (client) => {
    await lockParent(client, id, 'to remove');
    await client.query('INSERT INTO removed_parents (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
    const { rows } = await client.query<UploadedFile>(
      `SELECT file_id AS "fileId", workspace_id AS "workspaceId" FROM assets WHERE ${kind}_id = $1 AND file_id IS NOT NULL`,
      [id],
    );
    return rows;
  });
}

/** Removes everything of a conversation or a project that is closed. */
export async function removeOfParent({ pool }: Database, kind: ParentKind, id: string): Promise<OrphanedBlobs> {
  return toOrphans(await pool.query<BlobRow>(`DELETE FROM assets WHERE ${kind}_id = $1 RETURNING blob_key`, [id]));
}

/** Removes up to `limit` assets whose time is over. */
export async function removeExpired({ pool }: Database, limit: number): Promise<{ removed: number; orphans: OrphanedBlobs }> {
  const bite = `SELECT id FROM assets WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const result = await pool.query<BlobRow>(`DELETE FROM assets WHERE id = ANY (ARRAY(${bite})) RETURNING blob_key`);
  return { removed: result.rowCount ?? 0, orphans: toOrphans(result) };
}

/** Forgets which conversations and projects are gone once no event of theirs can come any more. */
export async function deleteRemovedParents({ pool }: Database): Promise<void> {
  await pool.query(`DELETE FROM removed_parents WHERE removed_at < now() - interval '8 days'`);
}

interface BlobRow {
  blob_key: string | null;
}

function toOrphans({ rows }: { rows: readonly BlobRow[] }): OrphanedBlobs {
  return rows.flatMap(({ blob_key: key }) => key ?? []);
}
