import { transaction } from '@parley/kit/db/pool';
import { type Database } from './database.ts';
import { lockParent } from './parents.ts';

/** Keys of blobs whose rows were deleted, which the caller must delete; after a crash the sweeper deletes them. */
export type OrphanedBlobKeys = string[];

/** Deletes one asset of a workspace, if it exists. */
export async function removeAsset({ pool }: Database, id: string, workspaceId: string): Promise<OrphanedBlobKeys> {
  return toOrphans(
    await pool.query<BlobRow>('DELETE FROM assets WHERE id = $1 AND workspace_id = $2 RETURNING blob_key', [id, workspaceId]),
  );
}

/** Deletes the asset of a project's file, if it exists. */
export async function removeProjectFile(
  { pool }: Database,
  projectId: string,
  fileId: string,
  workspaceId: string,
): Promise<OrphanedBlobKeys> {
  const sql = 'DELETE FROM assets WHERE project_id = $1 AND file_id = $2 AND workspace_id = $3 RETURNING blob_key';
  return toOrphans(await pool.query<BlobRow>(sql, [projectId, fileId, workspaceId]));
}

/** Kinds of resources to which assets belong. */
export type ParentKind = 'conversation' | 'project';

/** A file that was uploaded to a provider, by its id at chat-routing. */
export interface UploadedFileRef {
  fileId: string;
  workspaceId: string;
}

/** Prevents further additions to a deleted conversation or project; returns the files that were uploaded to it. */
export function markParentRemoved({ pool }: Database, kind: ParentKind, id: string): Promise<UploadedFileRef[]> {
  return transaction(pool, async (client) => {
    await lockParent(client, id, 'to remove');
    await client.query('INSERT INTO removed_parents (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
    const { rows } = await client.query<UploadedFileRef>(
      `SELECT file_id AS "fileId", workspace_id AS "workspaceId" FROM assets WHERE ${kind}_id = $1 AND file_id IS NOT NULL`,
      [id],
    );
    return rows;
  });
}

/** Deletes all assets of a conversation or project after `markParentRemoved`. */
export async function removeAssetsOfParent({ pool }: Database, kind: ParentKind, id: string): Promise<OrphanedBlobKeys> {
  return toOrphans(await pool.query<BlobRow>(`DELETE FROM assets WHERE ${kind}_id = $1 RETURNING blob_key`, [id]));
}

/** Deletes up to `limit` expired assets. */
export async function removeExpiredAssets({ pool }: Database, limit: number): Promise<{ removed: number; orphans: OrphanedBlobKeys }> {
  const bite = `SELECT id FROM assets WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const result = await pool.query<BlobRow>(`DELETE FROM assets WHERE id = ANY (ARRAY(${bite})) RETURNING blob_key`);
  return { removed: result.rowCount ?? 0, orphans: toOrphans(result) };
}

/** Deletes the records of deleted conversations and projects after eight days, when none of their events can arrive any more. */
export async function deleteRemovedParents({ pool }: Database): Promise<void> {
  await pool.query(`DELETE FROM removed_parents WHERE removed_at < now() - interval '8 days'`);
}

interface BlobRow {
  blob_key: string | null;
}

function toOrphans({ rows }: { rows: readonly BlobRow[] }): OrphanedBlobKeys {
  return rows.flatMap(({ blob_key: key }) => key ?? []);
}
