import { type BlobStore } from '@parley/kit/blob/blob-store';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { sweepOrphans as sweepBlobs } from '@parley/kit/blob/sweep-orphans';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type Logger } from '@parley/kit/log/logger';
import { BLOB_KEY_SCHEME } from '../domain/blob-key.ts';
import { type Database } from '../store/database.ts';
import { expireAudio, deleteExpiredJobData, findReferencedBlobs } from '../store/expire-jobs.ts';
import { deleteOldTranscriptions } from '../store/record-transcription.ts';

/** Dependencies of the sweeper. */
export interface SweepDeps {
  database: Database;
  blobs: BlobStore;
  log: Logger;
}

const BATCH = 500;

/**
 * Deletes expired audio and old records of work, in small batches that replicas share; returns the number of jobs whose audio was deleted.
 */
export async function sweepExpiredAudio({ database, blobs, log }: SweepDeps, signal?: AbortSignal): Promise<number> {
  const bite = async (size: number) => {
    const orphans = await expireAudio(database, size);
    await deleteBlobs(blobs, orphans, log);
    return orphans.length;
  };
  const swept = await runInBatches(BATCH, bite, signal);
  await deleteExpiredJobData(database);
  await deleteOldTranscriptions(database);
  return swept;
}

/** Deletes blobs that crashes left without a speech job; returns their number. */
export async function sweepOrphanedBlobs({ database, blobs, log }: SweepDeps, signal?: AbortSignal): Promise<number> {
  return sweepBlobs({ blobs, keyScheme: BLOB_KEY_SCHEME, known: (batch) => findReferencedBlobs(database, batch), log }, signal);
}
