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

/** Options of `put`. */
export interface PutOptions {
  /** Maximum size in bytes; a longer stream fails with BlobTooLargeError. */
  maxBytes: number;
  /** MIME type; stored by S3, ignored by a local folder. */
  contentType?: string;
  signal?: AbortSignal;
}

/** A part of a blob: byte offsets, both inclusive, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  /** @default the last byte */
  end?: number;
}

/** Stores bytes under keys. Keys look like `folder/name`: letters, digits, `_`, `-` and `.`, no part that begins with a dot. */
export interface BlobStore {
  /** Stores all bytes, replacing an existing blob; stores nothing when it fails. Resolves with size and hash. @throws BlobTooLargeError */
  put(key: string, bytes: Readable, options: PutOptions): Promise<BlobReceipt>;
  /** Resolves with the bytes of a blob, or of a range that lies within it. @throws BlobNotFoundError */
  getRange(key: string, range?: ByteRange): Promise<Readable>;
  /** Resolves with size and time of a blob; undefined when it does not exist. */
  head(key: string): Promise<BlobHead | undefined>;
  /** Deletes a blob; does nothing when it does not exist. */
  delete(key: string): Promise<void>;
  /** Iterates over the keys in a folder and its subfolders, in no particular order; `''` for all. */
  list(folder: string): AsyncIterable<string>;
  /** Deletes uploads that crashes left unfinished; to be called periodically. */
  deletePartialUploads(): Promise<void>;
}

/** The stream had more bytes than allowed; nothing was stored. */
export class BlobTooLargeError extends Error {
  override name = 'BlobTooLarge';
}

/** There is no blob with this key. */
export class BlobNotFoundError extends Error {
  override name = 'BlobNotFound';
}
