import { type BlobStore } from '@parley/kit/blob/blob-store';
import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { GatewayError } from '@parley/protos/errors';
import { type UploadedFile, type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type StoredAsset } from '../domain/asset.ts';
import { type Store } from '../store/store.ts';
import { insertUploadedAsset } from '../store/uploaded-assets.ts';
import { type StoreFileDeps } from './store-file.ts';
import { type StoredUpload, discardUpload } from './store-upload.ts';

/** The parent of a file: exactly one of both is set. */
export interface FileParent {
  conversationId: string | null;
  projectId: string | null;
}

/** Dependencies of `uploadToProvider`. */
export interface ProviderUploadDeps extends StoreFileDeps {
  store: Store;
  routing: Stub<typeof ChatRoutingServiceService>;
}

/** Timeout of the clean-up in milliseconds; it has its own deadline, because the caller may have cancelled. */
const UNDO_MS = 10_000;

/**
 * Uploads a stored file to the provider and inserts the asset. When either fails, deletes the file locally and at the provider, and
 * rethrows the error.
 */
export async function uploadToProvider(
  deps: ProviderUploadDeps,
  file: StoredUpload,
  parent: FileParent,
  call: Call,
): Promise<{ uploaded: UploadedFile; asset: StoredAsset }> {
  let uploaded: UploadedFile | undefined;
  try {
    uploaded = await deps.routing.uploadFile(toFrames(deps.blobs, file, parent), toDownstreamInit(call));
    if (call.abortReason) throw call.abortReason;
    const { workspaceId } = call.caller;
    const asset = await insertUploadedAsset(deps.store, {
      ...file,
      ...parent,
      workspaceId,
      fileId: uploaded.fileId,
      origin: toWorkOrigin(call),
    });
    if (!asset) throw goneMeanwhile(parent);
    return { uploaded, asset };
  } catch (error) {
    await undo(deps, file, uploaded, call);
    throw error;
  }
}

async function* toFrames(blobs: BlobStore, { id, fileName, content }: StoredUpload, parent: FileParent): AsyncGenerator<UploadFileRequest> {
  const { mimeType, sizeBytes, sha256, blobKey } = content;
  const of = { conversationId: parent.conversationId ?? '', projectId: parent.projectId ?? '' };
  yield { frame: { $case: 'head', value: { ...of, assetId: id, fileName, mimeType, sizeBytes, sha256 } } };
  const bytes = await blobs.getRange(blobKey).catch((cause: unknown) => {
    throw new GatewayError('UPLOAD_FAILED', 'the stored file could not be read', { cause });
  });
  for await (const value of bytes) yield { frame: { $case: 'chunk', value: value as Buffer } };
}

async function undo(deps: ProviderUploadDeps, file: StoredUpload, uploaded: UploadedFile | undefined, call: Call): Promise<void> {
  const { caller, traceparent } = call;
  if (uploaded) {
    await deps.routing
      .discardFile({ fileId: uploaded.fileId }, { caller, traceparent, deadlineMs: UNDO_MS })
      .catch((err: unknown) =>
        deps.log.warn({ err, assetId: file.id, requestId: caller.requestId }, 'a failed upload could not be deleted upstream'),
      );
  }
  await discardUpload(deps, file, call);
}

function goneMeanwhile({ conversationId }: FileParent): GatewayError {
  return conversationId === null
    ? new GatewayError('PROJECT_NOT_FOUND', 'the project does not exist')
    : new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation does not exist');
}
