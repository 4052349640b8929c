import { type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A request's body as it was before compression; undefined for an encoding we do not know. It decodes as it is read, never ahead. */
export function inflate(source: Readable, encoding: string): Readable | undefined {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  return decoder && source.pipe(decoder);
}
