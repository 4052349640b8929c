import { createBlobKeyScheme } from '@parley/kit/blob/blob-key-scheme';

/** Key scheme of this service's blobs: bytes of assets and of files for actions. */
export const BLOB_KEY_SCHEME = createBlobKeyScheme('assets');

/** Returns the key of an asset's bytes for the lease with this generation. */
export const toBlobKey = BLOB_KEY_SCHEME.toKey;
