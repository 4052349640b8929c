import { type BlobStore } from '@parley/kit/blob/blob-store';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { sweepOrphans as sweepBlobs } from '@parley/kit/blob/sweep-orphans';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type Logger } from '@parley/kit/log/logger';
import { BLOB_KEY_SCHEME } from '../domain/blob-key.ts';
import { expireInputs } from '../store/action-inputs.ts';
import { type Database } from '../store/database.ts';
import { findReferencedBlobs } from '../store/find-referenced-blobs.ts';
import { deleteRemovedParents, removeExpiredAssets } from '../store/remove-assets.ts';
import { type Store } from '../store/store.ts';

/** Dependencies of the sweeper. */
export interface SweepDeps {
  database: Database;
  blobs: BlobStore;
  log: Logger;
}

const BATCH = 500;

/** Deletes expired assets with their bytes, in small batches that replicas share; returns their number. */
export async function sweepExpiredAssets({ database, blobs, log }: SweepDeps, signal?: AbortSignal): Promise<number> {
  const bite = async (size: number) => {
    const { removed, orphans } = await removeExpiredAssets(database, size);
    await deleteBlobs(blobs, orphans, log);
    return removed;
  };
  const swept = await runInBatches(BATCH, bite, signal);
  await deleteRemovedParents(database);
  return swept;
}

/** Deletes the bytes of expired files for actions, and sends their events; returns the number of files. Their rows stay for a while. */
export async function sweepExpiredInputs(
  { store, blobs, log }: Omit<SweepDeps, 'database'> & { store: Store },
  signal?: AbortSignal,
): Promise<number> {
  const bite = async (size: number) => {
    const { dropped, orphans } = await expireInputs(store, size);
    await deleteBlobs(blobs, orphans, log);
    return dropped;
  };
  return runInBatches(BATCH, bite, signal);
}

/** Deletes blobs that crashes left without an asset; returns their number. */
export async function sweepOrphanedBlobs({ database, blobs, log }: SweepDeps, signal?: AbortSignal): Promise<number> {
  return sweepBlobs({ blobs, keyScheme: BLOB_KEY_SCHEME, known: (batch) => findReferencedBlobs(database, batch), log }, signal);
}
