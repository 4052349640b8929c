import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { type StoredContent, type StoredAsset } from '../domain/asset.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssets } from './change-assets.ts';
import { type Store } from './store.ts';

/** A stored file that another service generated, to be inserted. */
export interface NewGeneratedAsset {
  id: string;
  workspaceId: string;
  assetType: string;
  fileName: string;
  content: StoredContent;
  origin: WorkOrigin;
}

const INSERT = `
INSERT INTO assets (id, workspace_id, asset_type, file_name, status, blob_key, size_bytes, sha256, mime_type, width, height, expires_at,
                    request_id, traceparent)
VALUES ($1, $2, $3, $4, 'ready', $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 ms', $12, $13)
ON CONFLICT (id) DO NOTHING
RETURNING ${ASSET_COLUMNS}`;

/** Inserts a generated file of a workspace as a ready asset; undefined when an asset with this id exists. */
export async function insertGeneratedAsset(store: Store, asset: NewGeneratedAsset, keepMs: number): Promise<StoredAsset | undefined> {
  const { id, workspaceId, assetType, fileName, content: kept, origin } = asset;
  const facts = [kept.blobKey, kept.sizeBytes, kept.sha256, kept.mimeType, kept.width, kept.height];
  const [stored] = await changeAssets(store, async (client) => {
    const { rows } = await client.query<StoredAsset>(INSERT, [
      ...[id, workspaceId, assetType, fileName, ...facts, keepMs],
      ...[origin.requestId, origin.traceparent],
    ]);
    return rows;
  });
  return stored;
}
