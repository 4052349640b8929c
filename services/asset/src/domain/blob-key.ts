import { blobNames } from '@parley/kit/blob/blob-names';

/** The blobs of this service: bytes of assets and of files for actions. */
export const BLOB_NAMES = blobNames('assets');

/** Where the worker of a generation keeps an asset's bytes. */
export const blobKey = BLOB_NAMES.keyOf;
