import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { type StorableArtifact } from '../domain/artifact.ts';
import { type StoredAsset } from '../domain/asset.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssets } from './change-assets.ts';
import { lockParent, isParentRemoved } from './parents.ts';
import { type Store } from './store.ts';

/** Artifacts of one message. */
export interface MessageArtifacts {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  artifacts: readonly StorableArtifact[];
  origin: WorkOrigin;
}

/** How long assets may be ingested and are kept, in milliseconds. */
export interface AssetLifetimes {
  /** How long an asset may take from its discovery or retry until it is ready. */
  ingestTimeoutMs: number;
  /** How long a generated asset is kept; undefined: as long as its conversation, or as the service that created it requests. */
  retentionMs: number | undefined;
}

const INSERT = `
INSERT INTO assets (id, workspace_id, conversation_id, message_id, asset_type, file_name, mime_type, connection_id, reference,
                    status, next_attempt_at, give_up_at, expires_at, request_id, traceparent)
SELECT artifact.*, 'discovered', now(), now() + $10 * interval '1 ms', now() + $11 * interval '1 ms', $12, $13
FROM (SELECT id, $1::uuid, $2::uuid, $3::uuid, asset_type, file_name, mime_type, connection_id, reference
      FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
        AS given (id, asset_type, file_name, mime_type, connection_id, reference)
      ORDER BY id) AS artifact
ON CONFLICT (id) DO NOTHING
RETURNING ${ASSET_COLUMNS}`;

/** Inserts artifacts as assets to be fetched, and returns the new ones; none for a deleted conversation. */
export function registerArtifacts(
  store: Store,
  of: MessageArtifacts,
  { ingestTimeoutMs, retentionMs }: AssetLifetimes,
): Promise<StoredAsset[]> {
  const { workspaceId, conversationId, messageId, artifacts, origin } = of;
  const column = <K extends keyof StorableArtifact>(key: K) => artifacts.map((artifact) => artifact[key]);
  return changeAssets(store, async (client) => {
    await lockParent(client, conversationId, 'to add');
    if (await isParentRemoved(client, conversationId)) return [];
    const { rows } = await client.query<StoredAsset>(INSERT, [
      ...[workspaceId, conversationId, messageId],
      ...[column('id'), column('assetType'), column('fileName'), column('mimeType'), column('connectionId'), column('reference')],
      ...[ingestTimeoutMs, retentionMs ?? null, origin.requestId, origin.traceparent],
    ]);
    return rows;
  });
}
