import { createBlobKeyScheme } from '@parley/kit/blob/blob-key-scheme';

/** Key scheme of this service's blobs: the audio of jobs. */
export const BLOB_KEY_SCHEME = createBlobKeyScheme('speech');

/** Returns the key of a job's audio for the lease with this generation. */
export const toBlobKey = BLOB_KEY_SCHEME.toKey;
