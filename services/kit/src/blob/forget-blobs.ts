import type { Logger } from '../log/logger.ts';
import type { BlobStore } from './blob-store.ts';

/** Deletes blobs that nothing has any more. One that cannot be deleted now is the sweeper's, so this never throws. */
export async function forgetBlobs(blobs: BlobStore, keys: readonly string[], log: Logger): Promise<void> {
  for (const key of keys) {
    try {
      await blobs.delete(key);
    } catch (err) {
      log.warn({ err, key }, 'a blob was not deleted; the sweeper will try again');
    }
  }
}
