import { type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A stream that decompresses a body. */
export interface BodyDecoder extends Transform {
  /** Compressed bytes that it has read. */
  readonly bytesWritten: number;
}

const DECODERS: Readonly<Record<string, () => BodyDecoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Largest ratio of decompressed to compressed bytes. Prose compresses to a tenth, a log or a table to a fiftieth; more is a decompression
 * bomb.
 */
export const MAX_COMPRESSION_RATIO = 100;
/** A body up to this size, in bytes, may have any ratio. */
const ANY_RATIO_BYTES = 1_024 * 1_024;

/** Returns the decompressed body of a request; undefined for an unknown encoding. It decompresses only as fast as it is read. */
export function decompressBody(source: Readable, encoding: string): BodyDecoder | undefined {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  return decoder && source.pipe(decoder);
}

/** True when a body of `inflatedBytes` exceeds the size and the ratio that are allowed. */
export function isDecompressionBomb({ bytesWritten }: Pick<BodyDecoder, 'bytesWritten'>, inflatedBytes: number): boolean {
  return inflatedBytes > ANY_RATIO_BYTES && inflatedBytes > MAX_COMPRESSION_RATIO * bytesWritten;
}
