import { type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What decodes a body. */
export interface Decoder extends Transform {
  /** Compressed bytes that it has taken in. */
  readonly bytesWritten: number;
}

const DECODERS: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Prose compresses to a tenth, a log or a table to a fiftieth; more is a decompression bomb. */
export const MAX_RATIO = 100;
/** A body up to this size may have any ratio. */
const ANY_RATIO_BYTES = 1_024 * 1_024;

/** A request's body as it was before compression; undefined for an unknown encoding. It decodes as it is read, never ahead. */
export function inflate(source: Readable, encoding: string): Decoder | undefined {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  return decoder && source.pipe(decoder);
}

/** True for a decompression bomb. */
export function isBomb({ bytesWritten }: Pick<Decoder, 'bytesWritten'>, inflatedBytes: number): boolean {
  return inflatedBytes > ANY_RATIO_BYTES && inflatedBytes > MAX_RATIO * bytesWritten;
}
