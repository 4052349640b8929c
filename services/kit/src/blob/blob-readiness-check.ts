import { type Readiness } from '../lifecycle/readiness.ts';
import { type BlobStore } from './blob-store.ts';

const CACHE_MS = 10_000;

/** Adds an optional readiness check that looks up a blob in `folder`. A service is ready without its blob store. */
export function addBlobReadinessCheck(readiness: Readiness, blobs: BlobStore, folder: string): void {
  // The blob does not exist; any answer shows that the store is reachable.
  readiness.add('blobs', async () => void (await blobs.head(`${folder}/readiness`)), { required: false, cacheMs: CACHE_MS });
}
