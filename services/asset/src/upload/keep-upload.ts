import { type FileType, identify, measureImage } from '@parley/file-content/identify';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { GatewayError } from '@parley/protos/errors';
import type { KeptBytes } from '../domain/asset.ts';
import { blobKey } from '../domain/blob-key.ts';
import { safeFileName } from '../domain/file-name.ts';
import { removeAsset } from '../store/remove-assets.ts';
import type { Store } from '../store/store.ts';
import { keepFile, type UploadStore } from './keep-file.ts';

/** What a client may upload in bytes to a conversation or a project (spec §8). */
const MAX_UPLOAD_BYTES = 10 * 1_024 ** 2;

/** A file that is kept, and of a type that is supported. */
export interface KeptFile {
  id: string;
  fileName: string;
  kept: KeptBytes;
}

/**
 * Keeps the bytes of a new asset while they come, and decides what they are. Nothing is kept when it throws.
 * @throws as `keepFile`, UNSUPPORTED_FILE_TYPE
 */
export async function keepUpload(
  store: UploadStore,
  { id, name, chunks }: { id: string; name: string; chunks: AsyncIterable<Uint8Array> },
  signal: AbortSignal,
  maxBytes = MAX_UPLOAD_BYTES,
): Promise<KeptFile> {
  const fileName = safeFileName(name);
  const check = (head: Buffer, whole: Buffer | undefined) => checkType(identify(head, fileName, whole), whole ?? head);
  return { id, fileName, kept: await keepFile(store, { key: blobKey(id, 0), chunks, maxBytes }, check, signal) };
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
  await deleteBlobs(blobs, [kept.blobKey], log);
}

function checkType(type: FileType | undefined, bytes: Buffer): Pick<KeptBytes, 'mimeType' | 'width' | 'height'> {
  if (!type) throw unsupported('the type is not supported, or the content is not what the file name says');
  if (type.kind !== 'image') return { mimeType: type.mimeType, width: null, height: null };
  const size = measureImage(bytes);
  if (!size) throw unsupported('the image is damaged');
  return { mimeType: type.mimeType, ...size };
}

function unsupported(reason: string): GatewayError {
  return new GatewayError('UNSUPPORTED_FILE_TYPE', reason, { param: 'file' });
}
