import type { Readiness } from '../lifecycle/readiness.ts';
import type { BlobStore } from './blob-store.ts';

const CACHE_MS = 10_000;

/** Shows whether the blob store is there, as it is asked for something in `folder`. A service is ready without it. */
export function addBlobCheck(readiness: Readiness, blobs: BlobStore, folder: string): void {
  // What it does not have it can be asked for: the answer shows that the store is there.
  readiness.add('blobs', async () => void (await blobs.head(`${folder}/readiness`)), { required: false, cacheMs: CACHE_MS });
}
