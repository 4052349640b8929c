const LINE_BYTES = 64;
const LINES = 4_096;

/** Yields a text of exactly `bytes` bytes in numbered lines, in blocks of 256 KiB, so that a large one is never in memory completely. */
export function* generateFiller(bytes: number): Generator<Buffer> {
  let line = 0;
  for (let left = bytes; left > 0;) {
    const block = Buffer.alloc(LINES * LINE_BYTES, 'x');
    for (let at = 0; at < block.length; at += LINE_BYTES) {
      block.write(`line ${String(++line).padStart(9, '0')} `, at, 'latin1');
      block.write('\n', at + LINE_BYTES - 1, 'latin1');
    }
    yield left < block.length ? block.subarray(0, left) : block;
    left -= Math.min(left, block.length);
  }
}
