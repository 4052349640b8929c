import type { BlobStore } from '@parley/kit/blob/blob-store';
import type { Logger } from '@parley/kit/log/logger';

/** Deletes blobs that no job has any more. One that cannot be deleted now is the sweeper's, so this never throws. */
export async function forgetBlobs(blobs: BlobStore, keys: readonly string[], log: Logger): Promise<void> {
  for (const key of keys) {
    try {
      await blobs.delete(key);
    } catch (err) {
      log.warn({ err, key }, 'a blob was not deleted; the sweeper will try again');
    }
  }
}
