import { type BlobStore } from '@parley/kit/blob/blob-store';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { type Logger } from '@parley/kit/log/logger';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type ContentChecker, type ContentCheck } from '../bytes/content-checker.ts';
import { storeBytes } from '../bytes/store-bytes.ts';

/** Dependencies for storing and checking files. */
export interface StoreFileDeps {
  blobs: BlobStore;
  contentChecker: ContentChecker;
  log: Logger;
}

/** A file that is being uploaded. */
export interface IncomingFile {
  /** The key of its blob. */
  key: string;
  chunks: AsyncIterable<Uint8Array>;
  maxBytes: number;
  /** SHA-256 of the bytes in hex, if the sender announced it. */
  sha256?: string;
}

/**
 * Stores the bytes of a file as they arrive, and checks their content. Stores nothing when it throws.
 * @throws FILE_TOO_LARGE, VALIDATION_ERROR for an empty file, UPLOAD_FAILED when the store fails or the hash differs from the announced
 * one; the errors of `check`; the signal's reason
 */
export async function storeFile<T>(
  { blobs, contentChecker, log }: StoreFileDeps,
  { key, chunks, maxBytes, sha256: expected }: IncomingFile,
  check: ContentCheck<T>,
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
): Promise<{ blobKey: string; sizeBytes: number; sha256: string } & T> {
  try {
    const stream = await storeBytes(blobs, key, chunks, { maxBytes, signal });
    const { size: sizeBytes, sha256 } = stream;
    if (sizeBytes === 0) throw new GatewayError('VALIDATION_ERROR', 'the file is empty', { param: 'file' });
    if (expected !== undefined && expected !== sha256)
      throw new GatewayError('UPLOAD_FAILED', 'the bytes are not those that were announced');
    const facts = await contentChecker.check(stream, check);
    signal.throwIfAborted();
    return { blobKey: key, sizeBytes, sha256, ...facts };
  } catch (error) {
    if (error instanceof GatewayError && error.condition === 'UPLOAD_FAILED') {
      log.error({ err: error, key, requestId: caller.requestId }, 'an upload could not be stored');
    }
    // Also after a failed put: a remote store may have stored the blob nevertheless.
    await deleteBlobs(blobs, [key], log);
    throw error;
  }
}
