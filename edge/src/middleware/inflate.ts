import { type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A stream that decompresses a body. */
export interface Decoder extends Transform {
  /** Compressed bytes that it has read. */
  readonly bytesWritten: number;
}

const DECODERS: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Largest ratio of decompressed to compressed bytes. Prose compresses to a tenth, a log or a table to a fiftieth; more is a decompression
 * bomb.
 */
export const MAX_RATIO = 100;
/** A body up to this size, in bytes, may have any ratio. */
const ANY_RATIO_BYTES = 1_024 * 1_024;

/** Returns the decompressed body of a request; undefined for an unknown encoding. It decompresses only as fast as it is read. */
export function inflate(source: Readable, encoding: string): Decoder | undefined {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  return decoder && source.pipe(decoder);
}

/** True when a body of `inflatedBytes` exceeds the size and the ratio that are allowed. */
export function exceedsInflationRatio({ bytesWritten }: Pick<Decoder, 'bytesWritten'>, inflatedBytes: number): boolean {
  return inflatedBytes > ANY_RATIO_BYTES && inflatedBytes > MAX_RATIO * bytesWritten;
}
