import { seededRandom, Vocabulary } from './vocabulary.ts';

const VOCABULARY_SEED = 17;
const BYTES = 8 * 1_024 * 1_024;
const SENTENCE_WORDS = 14;
/** The longest text that is cut. */
const LONGEST = 8_192;
/** A prime, so that steps of it reach every start before any comes again. */
const STRIDE = 100_003;

/** Words, eight megabytes of them by default, from which texts are cut: making each text word by word would make the load the bottleneck. */
export class Corpus {
  /** ASCII without a character that JSON escapes. */
  readonly bytes: Buffer;
  readonly #starts: Uint32Array;
  #at = 0;

  /** The same seed gives the same texts in the same order; the vocabulary is the same for all seeds. `size` is in bytes. */
  constructor(seed: number, size = BYTES) {
    const random = seededRandom(seed);
    const vocabulary = new Vocabulary(VOCABULARY_SEED);
    const bytes = Buffer.alloc(size, ' ');
    const starts: number[] = [];
    let length = 0;
    while (length < size - LONGEST) {
      starts.push(length);
      const end = random() < 1 / SENTENCE_WORDS ? '. ' : ' ';
      length += bytes.write(vocabulary.draw(random) + end, length, 'latin1');
    }
    this.bytes = bytes.subarray(0, length);
    this.#starts = Uint32Array.from(starts.filter((start) => start < length - LONGEST));
    if (this.#starts.length % STRIDE === 0) this.#starts = this.#starts.subarray(1);
  }

  /** How many texts there are before one comes again. */
  get texts(): number {
    return this.#starts.length;
  }

  /** Where the next text starts: at a word, far from the one before. */
  next(): number {
    this.#at = (this.#at + STRIDE) % this.#starts.length;
    return this.#starts[this.#at] ?? 0;
  }
}
