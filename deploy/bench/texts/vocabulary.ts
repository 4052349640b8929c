const WORDS = 20_000;
const ONSETS = [
  'b',
  'br',
  'c',
  'cl',
  'd',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  '',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'ai'];
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'l', 'nd', 'ck', 'm', 'st'];
const MAX_SYLLABLES = 4;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 20,000 words of letters a to z, the same for the same seed; common words are short. */
export class Vocabulary {
  readonly words: readonly string[];
  readonly #upTo: Float64Array;

  constructor(seed: number) {
    this.words = makeWords(seededRandom(seed));
    this.#upTo = zipfSums(this.words.length);
  }

  /** Draws a word: the one of rank r comes 1/r times as often as the first (Zipf's law). */
  draw(random: () => number): string {
    const wanted = random() * (this.#upTo.at(-1) ?? 0);
    let [low, high] = [0, this.#upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#upTo[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? '';
  }
}

function zipfSums(count: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 1; rank <= count; rank++) sums[rank - 1] = sum += 1 / rank;
  return sums;
}

function makeWords(random: () => number): string[] {
  const words = new Set<string>();
  const pick = (parts: readonly string[]): string => parts[Math.floor(random() * parts.length)] ?? '';
  while (words.size < WORDS) {
    const longest = 1 + (MAX_SYLLABLES - 1) * Math.min(1, words.size / (WORDS / 4));
    const syllables = 1 + Math.floor(random() * longest);
    words.add(Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join(''));
  }
  return [...words];
}
