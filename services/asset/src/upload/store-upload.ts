import { type FileType, identifyFileType, measureImage } from '@parley/file-content/identify-file-type';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { type Call } from '@parley/kit/rpc/call';
import { MAX_FILE_BYTES } from '@parley/kit/rpc/open-file-stream';
import { GatewayError } from '@parley/protos/errors';
import { type StoredContent } from '../domain/asset.ts';
import { toBlobKey } from '../domain/blob-key.ts';
import { toSafeFileName } from '../domain/file-name.ts';
import { removeAsset } from '../store/remove-assets.ts';
import { type Store } from '../store/store.ts';
import { storeFile, type StoreFileDeps } from './store-file.ts';

/** A stored file of a supported type. */
export interface StoredUpload {
  id: string;
  fileName: string;
  content: StoredContent;
}

/**
 * Stores the bytes of a new asset as they arrive, and detects their type. Stores nothing when it throws.
 * @throws the errors of `storeFile`, UNSUPPORTED_FILE_TYPE
 */
export async function storeUpload(
  store: StoreFileDeps,
  { id, name, chunks }: { id: string; name: string; chunks: AsyncIterable<Uint8Array> },
  call: Pick<Call, 'caller' | 'signal'>,
  maxBytes = MAX_FILE_BYTES,
): Promise<StoredUpload> {
  const fileName = toSafeFileName(name);
  const check = (head: Buffer, whole: Buffer | undefined) => checkType(identifyFileType(head, fileName, whole), whole ?? head);
  return { id, fileName, content: await storeFile(store, { key: toBlobKey(id, 0), chunks, maxBytes }, check, call) };
}

/**
 * Deletes a stored file and its row. An interrupted commit may have taken effect, so the bytes are deleted only after the row. Never
 * throws.
 */
export async function discardUpload(
  { store, blobs, log }: StoreFileDeps & { store: Store },
  { id, content }: StoredUpload,
  { caller: { workspaceId, requestId } }: Pick<Call, 'caller'>,
): Promise<void> {
  try {
    await removeAsset(store.database, id, workspaceId);
  } catch (err) {
    log.warn({ err, assetId: id, requestId }, 'an upload could not be undone; its bytes are left to the sweeper');
    return;
  }
  await deleteBlobs(blobs, [content.blobKey], log);
}

function checkType(type: FileType | undefined, bytes: Buffer): Pick<StoredContent, 'mimeType' | 'width' | 'height'> {
  if (!type) throw unsupported('the type is not supported, or the content is not what the file name says');
  if (type.kind !== 'image') return { mimeType: type.mimeType, width: null, height: null };
  const size = measureImage(bytes);
  if (!size) throw unsupported('the image is damaged');
  return { mimeType: type.mimeType, ...size };
}

function unsupported(reason: string): GatewayError {
  return new GatewayError('UNSUPPORTED_FILE_TYPE', reason, { param: 'file' });
}
