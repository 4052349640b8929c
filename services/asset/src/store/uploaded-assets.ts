import { type Origin } from '@parley/kit/rpc/origin';
import { type KeptBytes, type StoredAsset } from '../domain/asset.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssets } from './change-assets.ts';
import { lockParent, isRemoved } from './parents.ts';
import { type Store } from './store.ts';

/** A file that was stored here and uploaded to the provider. */
export interface UploadedAsset {
  id: string;
  workspaceId: string;
  /** One of both. */
  conversationId: string | null;
  projectId: string | null;
  fileName: string;
  /** What chat-routing calls it. */
  fileId: string;
  kept: KeptBytes;
  origin: Origin;
}

const INSERT = `
INSERT INTO assets (id, workspace_id, conversation_id, project_id, asset_type, file_name, file_id, status,
                    blob_key, size_bytes, sha256, mime_type, width, height, request_id, traceparent)
VALUES ($1, $2, $3, $4, 'attachment', $5, $6, 'ready', $7, $8, $9, $10, $11, $12, $13, $14)
RETURNING ${ASSET_COLUMNS}`;

/** Records an uploaded file, ready at once; undefined when what it belongs to is gone by now. */
export async function insertUploaded(store: Store, asset: UploadedAsset): Promise<StoredAsset | undefined> {
  const { id, workspaceId, conversationId, projectId, fileName, fileId, kept, origin } = asset;
  const parent = conversationId ?? projectId ?? '';
  const [stored] = await changeAssets(store, async (client) => {
    await lockParent(client, parent, 'to add');
    if (await isRemoved(client, parent)) return [];
    const { rows } = await client.query<StoredAsset>(INSERT, [
      ...[id, workspaceId, conversationId, projectId, fileName, fileId],
      ...[kept.blobKey, kept.sizeBytes, kept.sha256, kept.mimeType, kept.width, kept.height],
      ...[origin.requestId, origin.traceparent],
    ]);
    return rows;
  });
  return stored;
}
