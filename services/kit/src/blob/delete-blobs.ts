import { type Logger } from '../log/logger.ts';
import { type BlobStore } from './blob-store.ts';

/** Deletes blobs that no record refers to. Never throws: the sweeper deletes later what cannot be deleted now. */
export async function deleteBlobs(blobs: BlobStore, keys: readonly string[], log: Logger): Promise<void> {
  for (const key of keys) {
    try {
      await blobs.delete(key);
    } catch (err) {
      log.warn({ err, key }, 'blob not deleted; the sweeper will retry');
    }
  }
}
