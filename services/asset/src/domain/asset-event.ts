import { uuidv7 } from '@parley/kit/ids/uuid';
import { type AssetChanged, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type AssetStatus, type StoredAsset } from './asset.ts';

/** An event as stored in the outbox. `payload` is an encoded `EventBatch`; concatenated batches are one batch. */
export interface OutboxEvent {
  id: string;
  subject: string;
  payload: Uint8Array;
}

const SUBJECTS: Record<AssetStatus, string> = {
  discovered: EVENT_SUBJECTS.assetDiscovered,
  downloading: EVENT_SUBJECTS.assetProcessing,
  validating: EVENT_SUBJECTS.assetProcessing,
  ready: EVENT_SUBJECTS.assetReady,
  failed: EVENT_SUBJECTS.assetFailed,
};

/** Returns the notice of a changed asset. */
export function toAssetChanged(asset: StoredAsset): AssetChanged {
  return {
    assetId: asset.id,
    workspaceId: asset.workspaceId,
    conversationId: asset.conversationId ?? '',
    messageId: asset.messageId ?? '',
    projectId: asset.projectId ?? '',
    assetType: asset.assetType,
    fileName: asset.fileName,
    mimeType: asset.mimeType,
    sizeBytes: asset.sizeBytes,
    status: asset.status,
    retryCount: asset.retryCount,
    errorCondition: asset.errorCondition ?? '',
    errorMessage: asset.errorMessage ?? '',
    at: asset.updatedAt,
  };
}

/** Creates the outbox event of a changed asset. */
export function toOutboxEvent(asset: StoredAsset): OutboxEvent {
  const id = uuidv7();
  const payload = { $case: 'assetChanged' as const, value: toAssetChanged(asset) };
  const events = [{ id, payload, traceparent: asset.traceparent || undefined }];
  return { id, subject: SUBJECTS[asset.status], payload: EventBatch.encode({ events }).finish() };
}
