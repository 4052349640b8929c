import { type Logger } from '../log/logger.ts';
import { type BlobKeyParts, type BlobKeyScheme } from './blob-key-scheme.ts';
import { type BlobStore } from './blob-store.ts';
import { deleteBlobs } from './delete-blobs.ts';

/** What to sweep, and how to find out which blobs are in use. */
export interface OrphanSweepOptions {
  blobs: BlobStore;
  /** Blobs with keys of another form are not touched. */
  keyScheme: BlobKeyScheme;
  /** Returns the keys of this batch that a record refers to or that a worker is writing, and the database's time. */
  known: (batch: readonly BlobKeyParts[]) => Promise<{ known: ReadonlySet<string>; now: Date }>;
  log: Logger;
}

/** Longer than any work on a blob can take: the record of a younger blob may not be committed yet. */
const ORPHAN_MS = 3_600_000;
const BATCH = 500;

/**
 * Deletes what crashes leave behind: unfinished uploads, and blobs older than an hour without a record. Resolves with the number of deleted
 * blobs.
 */
export async function sweepOrphans(sweep: OrphanSweepOptions, signal?: AbortSignal): Promise<number> {
  const { blobs, keyScheme } = sweep;
  await blobs.deletePartialUploads();
  let swept = 0;
  let batch = new Map<string, BlobKeyParts>();
  for await (const key of blobs.list(keyScheme.folder)) {
    if (signal?.aborted) return swept;
    const name = keyScheme.parse(key);
    if (name) batch.set(key, name);
    if (batch.size < BATCH) continue;
    swept += await sweepBatch(sweep, batch);
    batch = new Map();
  }
  return swept + (await sweepBatch(sweep, batch));
}

/**
 * Deletes the orphans of one batch. Ages compare the store's clock with the database's, since this process's clock may be wrong by hours.
 */
async function sweepBatch({ blobs, log, ...sweep }: OrphanSweepOptions, batch: ReadonlyMap<string, BlobKeyParts>): Promise<number> {
  if (batch.size === 0) return 0;
  const { known, now } = await sweep.known([...batch.values()]);
  const orphans: string[] = [];
  for (const key of batch.keys()) {
    if (known.has(key)) continue;
    const head = await blobs.head(key);
    if (head && now.getTime() - head.modifiedAt.getTime() > ORPHAN_MS) orphans.push(key);
  }
  await deleteBlobs(blobs, orphans, log);
  return orphans.length;
}
