/** Writes into a buffer what belongs in a gap of `length` bytes at `offset`. */
export type FillGap = (target: Buffer, offset: number, length: number) => void;

/** Bytes with gaps: what is the same in every message is rendered once. */
export class Template {
  readonly #bytes: Buffer;
  readonly #gaps: readonly { offset: number; length: number }[];

  /** Texts, and numbers for gaps of that many bytes. */
  constructor(parts: readonly (string | number)[]) {
    const buffers = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.alloc(part, ' ')));
    let offset = 0;
    const gaps: { offset: number; length: number }[] = [];
    for (const [i, { length }] of buffers.entries()) {
      if (typeof parts[i] === 'number') gaps.push({ offset, length });
      offset += length;
    }
    this.#bytes = Buffer.concat(buffers);
    this.#gaps = gaps;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** A copy with its gaps filled, in their order. */
  fill(gap: FillGap): Buffer {
    const copy = Buffer.allocUnsafe(this.#bytes.length);
    this.#bytes.copy(copy);
    for (const { offset, length } of this.#gaps) gap(copy, offset, length);
    return copy;
  }
}

/** Fills gaps with one text that goes on from gap to gap. */
export function textFrom(text: Buffer, start: number): FillGap {
  let at = start;
  return (target, offset, length) => {
    text.copy(target, offset, at, at + length);
    at += length;
  };
}
