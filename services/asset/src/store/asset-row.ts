import { type AssetStatus, type StoredAsset } from '../domain/asset.ts';
import { type Asset } from '../generated/prisma/client.ts';

/** Columns of a query whose rows are `StoredAsset`s. */
export const ASSET_COLUMNS = `
  assets.id, assets.workspace_id AS "workspaceId", assets.conversation_id AS "conversationId", assets.message_id AS "messageId",
  assets.project_id AS "projectId", assets.asset_type AS "assetType", assets.file_name AS "fileName", assets.mime_type AS "mimeType",
  assets.size_bytes::float8 AS "sizeBytes", assets.sha256, assets.width, assets.height, assets.status, assets.retry_count AS "retryCount",
  assets.error_condition AS "errorCondition", assets.error_message AS "errorMessage", assets.blob_key AS "blobKey",
  assets.created_at AS "createdAt", assets.updated_at AS "updatedAt", assets.request_id AS "requestId", assets.traceparent`;

/** Converts a row of Prisma. Sizes stay far below 2^53. */
export function fromPrisma(row: Asset): StoredAsset {
  return { ...row, sizeBytes: Number(row.sizeBytes), status: row.status as AssetStatus };
}
