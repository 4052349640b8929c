import type { Logger } from '../log/logger.ts';
import type { BlobName, BlobNames } from './blob-names.ts';
import type { BlobStore } from './blob-store.ts';
import { forgetBlobs } from './forget-blobs.ts';

/** What is looked through, and who knows what may not go. */
export interface OrphanSweep {
  blobs: BlobStore;
  /** Only blobs that have such a name are looked at. */
  names: BlobNames;
  /** Of these blobs, the keys that something has or that a worker is writing; and the time by the database's clock. */
  known: (batch: readonly BlobName[]) => Promise<{ known: ReadonlySet<string>; now: Date }>;
  log: Logger;
}

/** Longer than any work on a blob can take: a younger one may be somebody's who has not recorded it yet. */
const ORPHAN_MS = 3_600_000;
const BATCH = 500;

/** Deletes what crashes leave: what is half written, and blobs that nothing has and nobody is writing any more; gives how many those were. */
export async function sweepOrphans(sweep: OrphanSweep, signal?: AbortSignal): Promise<number> {
  const { blobs, names } = sweep;
  await blobs.tidy();
  let swept = 0;
  let batch = new Map<string, BlobName>();
  for await (const key of blobs.list(names.folder)) {
    if (signal?.aborted) return swept;
    const name = names.parse(key);
    if (name) batch.set(key, name);
    if (batch.size < BATCH) continue;
    swept += await sweepBatch(sweep, batch);
    batch = new Map();
  }
  return swept + (await sweepBatch(sweep, batch));
}

/** Ages are the store's time against the database's: this process's clock may be wrong by hours. */
async function sweepBatch({ blobs, log, ...sweep }: OrphanSweep, batch: ReadonlyMap<string, BlobName>): Promise<number> {
  if (batch.size === 0) return 0;
  const { known, now } = await sweep.known([...batch.values()]);
  const orphans: string[] = [];
  for (const key of batch.keys()) {
    if (known.has(key)) continue;
    const head = await blobs.head(key);
    if (head && now.getTime() - head.modifiedAt.getTime() > ORPHAN_MS) orphans.push(key);
  }
  await forgetBlobs(blobs, orphans, log);
  return orphans.length;
}
