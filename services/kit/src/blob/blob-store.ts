import type { Readable } from 'node:stream';

/** Size and hash of a blob that was stored. */
export interface BlobReceipt {
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** The store's metadata of a blob. */
export interface BlobHead {
  /** In bytes. */
  size: number;
  modifiedAt: Date;
}

/** How a blob is put. */
export interface PutOptions {
  /** More bytes than this fail with BlobTooLarge. */
  maxBytes: number;
  /** Stored by S3; a local folder ignores it. */
  contentType?: string;
  signal?: AbortSignal;
}

/** A part of a blob, in bytes, both ends included, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  /** @default the last byte */
  end?: number;
}

/** Stores bytes under keys. Keys look like `folder/name`: letters, digits, `_`, `-` and `.`, no part that begins with a dot. */
export interface BlobStore {
  /** Stores all of the bytes or, when anything fails, nothing; replaces an existing blob. @throws BlobTooLarge */
  put(key: string, bytes: Readable, options: PutOptions): Promise<BlobReceipt>;
  /** The bytes, or a part that lies within the blob. @throws BlobNotFound */
  getRange(key: string, range?: ByteRange): Promise<Readable>;
  /** Undefined when there is no such blob. */
  head(key: string): Promise<BlobHead | undefined>;
  /** Does nothing when there is no such blob. */
  delete(key: string): Promise<void>;
  /** The keys in a folder and the folders below it, in no order; `''` for all. */
  list(folder: string): AsyncIterable<string>;
  /** Deletes uploads that crashes left unfinished; to be called periodically. */
  deletePartialUploads(): Promise<void>;
}

/** The stream had more bytes than allowed; nothing was stored. */
export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge';
}

/** There is no blob with this key. */
export class BlobNotFound extends Error {
  override name = 'BlobNotFound';
}
