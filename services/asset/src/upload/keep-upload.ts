import { type FileType, identify, measureImage } from '@parley/file-content/identify';
import type { BlobStore } from '@parley/kit/blob/blob-store';
import type { Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import type { Examiner } from '../bytes/examiner.ts';
import { forgetBlobs } from '../bytes/forget-blobs.ts';
import { keepBytes } from '../bytes/keep-bytes.ts';
import type { KeptBytes } from '../domain/asset.ts';
import { blobKey } from '../domain/blob-key.ts';
import { safeFileName } from '../domain/file-name.ts';
import { removeAsset } from '../store/remove-assets.ts';
import type { Store } from '../store/store.ts';

/** What a client may upload in bytes to a conversation or a project (spec §8). */
const MAX_UPLOAD_BYTES = 10 * 1_024 ** 2;

/** Where uploads are kept, and who looks at them. */
export interface UploadStore {
  blobs: BlobStore;
  examiner: Examiner;
  log: Logger;
}

/** A file that is kept, and of a type that is supported. */
export interface KeptFile {
  id: string;
  fileName: string;
  kept: KeptBytes;
}

/**
 * Keeps the bytes of a new asset while they come, and decides what they are. Nothing is kept when it throws.
 * @throws FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, VALIDATION_ERROR for an empty file, UPLOAD_FAILED when the store cannot take it
 */
export async function keepUpload(
  { blobs, examiner, log }: UploadStore,
  file: { id: string; name: string; chunks: AsyncIterable<Uint8Array> },
  signal: AbortSignal,
  maxBytes = MAX_UPLOAD_BYTES,
): Promise<KeptFile> {
  const fileName = safeFileName(file.name);
  const key = blobKey(file.id, 0);
  try {
    const stream = await keepBytes(blobs, key, file.chunks, { maxBytes, signal });
    if (stream.size === 0) throw new GatewayError('VALIDATION_ERROR', 'the file is empty', { param: 'file' });
    const facts = await examiner.examine(stream, (head, whole) => factsOf(identify(head, fileName, whole), whole ?? head));
    return { id: file.id, fileName, kept: { blobKey: key, sizeBytes: stream.size, sha256: stream.sha256, ...facts } };
  } catch (error) {
    if (error instanceof GatewayError && error.condition === 'UPLOAD_FAILED') log.error({ err: error }, 'an upload could not be stored');
    // Also where storing it failed: a store that is reached over a network may have taken it all the same.
    await forgetBlobs(blobs, [key], log);
    throw error;
  }
}

/** Takes a kept file back. A commit that was cut off may have taken effect: bytes go only once it is sure that no row has them. Never throws. */
export async function discardUpload(
  { store, blobs, log }: UploadStore & { store: Store },
  { id, kept }: KeptFile,
  workspaceId: string,
): Promise<void> {
  try {
    await removeAsset(store.database, id, workspaceId);
  } catch (err) {
    log.warn({ err, assetId: id }, 'an upload could not be undone; its bytes are left to the sweeper');
    return;
  }
  await forgetBlobs(blobs, [kept.blobKey], log);
}

function factsOf(type: FileType | undefined, bytes: Buffer): Pick<KeptBytes, 'mimeType' | 'width' | 'height'> {
  if (!type) throw unsupported('the type is not supported, or the content is not what the file name says');
  if (type.kind !== 'image') return { mimeType: type.mimeType, width: null, height: null };
  const size = measureImage(bytes);
  if (!size) throw unsupported('the image is damaged');
  return { mimeType: type.mimeType, ...size };
}

function unsupported(reason: string): GatewayError {
  return new GatewayError('UNSUPPORTED_FILE_TYPE', reason, { param: 'file' });
}
