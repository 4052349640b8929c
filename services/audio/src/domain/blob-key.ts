import { blobNames } from '@parley/kit/blob/blob-names';

/** The blobs of this service: audio of jobs. */
export const BLOB_NAMES = blobNames('speech');

/** Where the worker of a generation keeps a job's audio. */
export const blobKey = BLOB_NAMES.keyOf;
