import type { Readable } from 'node:stream';

/** What is known of a blob after it has been put. */
export interface BlobReceipt {
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** What the store itself knows of a blob. */
export interface BlobHead {
  /** In bytes. */
  size: number;
  modifiedAt: Date;
}

/** How a blob is put. */
export interface PutOptions {
  /** More bytes than this fail with BlobTooLarge. */
  maxBytes: number;
  /** Kept where the store can (S3); a local folder has no place for it. */
  contentType?: string;
  signal?: AbortSignal;
}

/** A part of a blob, in bytes, both ends included, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  /** @default the last byte */
  end?: number;
}

/** Where bytes are kept. Keys look like `folder/name`: letters, digits, `_`, `-` and `.`, no part that begins with a dot. */
export interface BlobStore {
  /** Keeps all of the bytes or, when anything fails, nothing; replaces what was there. @throws BlobTooLarge */
  put(key: string, bytes: Readable, options: PutOptions): Promise<BlobReceipt>;
  /** The bytes, or a part that lies within the blob. @throws BlobNotFound */
  getRange(key: string, range?: ByteRange): Promise<Readable>;
  /** Undefined when there is no such blob. */
  head(key: string): Promise<BlobHead | undefined>;
  /** Does nothing when there is no such blob. */
  delete(key: string): Promise<void>;
  /** The keys in a folder and the folders below it, in no order; `''` for all. */
  list(folder: string): AsyncIterable<string>;
  /** Deletes what crashes left half written; to be called now and then. */
  tidy(): Promise<void>;
}

/** The stream had more bytes than allowed; nothing was kept. */
export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge';
}

/** There is no blob with this key. */
export class BlobNotFound extends Error {
  override name = 'BlobNotFound';
}
