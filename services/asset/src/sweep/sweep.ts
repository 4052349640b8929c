import type { BlobStore } from '@parley/kit/blob/blob-store';
import type { Logger } from '@parley/kit/log/logger';
import { forgetBlobs } from '../bytes/forget-blobs.ts';
import { BLOB_FOLDER, type BlobName, parseBlobKey } from '../domain/blob-key.ts';
import { dropInputs } from '../store/action-inputs.ts';
import type { Database } from '../store/database.ts';
import { knownBlobs } from '../store/known-blobs.ts';
import { forgetParents, removeExpired } from '../store/remove-assets.ts';
import type { Store } from '../store/store.ts';

/** What a sweep works on. */
export interface SweepDeps {
  database: Database;
  blobs: BlobStore;
  log: Logger;
}

/** Longer than an upload or an ingestion can take: a younger blob may be somebody's who has not recorded it yet. */
const ORPHAN_MS = 3_600_000;
const BATCH = 500;

/** Removes assets whose time is over, with their bytes; gives how many that were. In small bites, which replicas share. */
export async function sweepExpired({ database, blobs, log }: SweepDeps, signal?: AbortSignal): Promise<number> {
  let swept = 0;
  for (let count = BATCH; count === BATCH && !signal?.aborted;) {
    const { removed, orphans } = await removeExpired(database, BATCH);
    await forgetBlobs(blobs, orphans, log);
    count = removed;
    swept += removed;
  }
  await forgetParents(database);
  return swept;
}

/** Takes the bytes from files for actions whose time is over, and tells of it; gives how many that were. What is known of them stays a while. */
export async function sweepInputs(
  { store, blobs, log }: Omit<SweepDeps, 'database'> & { store: Store },
  signal?: AbortSignal,
): Promise<number> {
  let swept = 0;
  for (let count = BATCH; count === BATCH && !signal?.aborted;) {
    const { dropped, orphans } = await dropInputs(store, BATCH);
    await forgetBlobs(blobs, orphans, log);
    count = dropped;
    swept += dropped;
  }
  return swept;
}

/** Deletes blobs that no asset has and that nobody is writing any more, as a crash leaves them; gives how many that were. */
export async function sweepOrphans(deps: SweepDeps, signal?: AbortSignal): Promise<number> {
  await deps.blobs.tidy();
  let swept = 0;
  let batch = new Map<string, BlobName>();
  for await (const key of deps.blobs.list(BLOB_FOLDER)) {
    if (signal?.aborted) return swept;
    const name = parseBlobKey(key);
    if (name) batch.set(key, name);
    if (batch.size < BATCH) continue;
    swept += await sweepBatch(deps, batch);
    batch = new Map();
  }
  return swept + (await sweepBatch(deps, batch));
}

/** Ages are the store's time against the database's: this process's clock may be wrong by hours. */
async function sweepBatch({ database, blobs, log }: SweepDeps, batch: ReadonlyMap<string, BlobName>): Promise<number> {
  if (batch.size === 0) return 0;
  const { known, now } = await knownBlobs(database, [...batch.values()]);
  const orphans: string[] = [];
  for (const key of batch.keys()) {
    if (known.has(key)) continue;
    const head = await blobs.head(key);
    if (head && now.getTime() - head.modifiedAt.getTime() > ORPHAN_MS) orphans.push(key);
  }
  await forgetBlobs(blobs, orphans, log);
  return orphans.length;
}
