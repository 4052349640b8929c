import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { type StoredContent, type StoredAsset } from '../domain/asset.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssets } from './change-assets.ts';
import { lockParent, isParentRemoved } from './parents.ts';
import { type Store } from './store.ts';

/** A stored file that was uploaded to the provider, to be inserted. */
export interface NewUploadedAsset {
  id: string;
  workspaceId: string;
  /** Exactly one of `conversationId` and `projectId` is set. */
  conversationId: string | null;
  projectId: string | null;
  fileName: string;
  /** Id of the file at chat-routing. */
  fileId: string;
  content: StoredContent;
  origin: WorkOrigin;
}

const INSERT = `
INSERT INTO assets (id, workspace_id, conversation_id, project_id, asset_type, file_name, file_id, status,
                    blob_key, size_bytes, sha256, mime_type, width, height, request_id, traceparent)
VALUES ($1, $2, $3, $4, 'attachment', $5, $6, 'ready', $7, $8, $9, $10, $11, $12, $13, $14)
RETURNING ${ASSET_COLUMNS}`;

/** Inserts an uploaded file as a ready asset; undefined when its conversation or project was deleted in the meantime. */
export async function insertUploadedAsset(store: Store, asset: NewUploadedAsset): Promise<StoredAsset | undefined> {
  const { id, workspaceId, conversationId, projectId, fileName, fileId, content, origin } = asset;
  const parent = conversationId ?? projectId ?? '';
  const [stored] = await changeAssets(store, async (client) => {
    await lockParent(client, parent, 'to add');
    if (await isParentRemoved(client, parent)) return [];
    const { rows } = await client.query<StoredAsset>(INSERT, [
      ...[id, workspaceId, conversationId, projectId, fileName, fileId],
      ...[content.blobKey, content.sizeBytes, content.sha256, content.mimeType, content.width, content.height],
      ...[origin.requestId, origin.traceparent],
    ]);
    return rows;
  });
  return stored;
}
