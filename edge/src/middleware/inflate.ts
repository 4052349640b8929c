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

/** Text that people write shrinks to a tenth, a log or a table to a fiftieth; what shrinks further is made to. */
export const MAX_RATIO = 100;
/** What is this small does no harm, however it came. */
const ANY_RATIO_BYTES = 1_024 * 1_024;

/** A request's body as it was before compression; undefined for an encoding we do not know. It decodes as it is read, never ahead. */
export function inflate(source: Readable, encoding: string): Decoder | undefined {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  return decoder && source.pipe(decoder);
}

/** True when so much has come out of a decoder that it was not put in by writing. */
export function isBomb({ bytesWritten }: Pick<Decoder, 'bytesWritten'>, inflatedBytes: number): boolean {
  return inflatedBytes > ANY_RATIO_BYTES && inflatedBytes > MAX_RATIO * bytesWritten;
}
