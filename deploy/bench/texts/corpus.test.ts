import { describe, expect, it } from '@jest/globals';
import { Corpus } from './corpus.ts';
import { seededRandom, Vocabulary } from './vocabulary.ts';

const SIZE = 512 * 1_024;

const take = (corpus: Corpus, texts: number): string[] =>
  Array.from({ length: texts }, () => {
    const start = corpus.next();
    return corpus.bytes.toString('latin1', start, start + 700);
  });

describe('Vocabulary', () => {
  it('has 20,000 words, of which the first comes about ten times as often as the tenth', () => {
    const vocabulary = new Vocabulary(1);
    expect(new Set(vocabulary.words).size).toBe(20_000);
    const random = seededRandom(2);
    const counts = new Map<string, number>();
    for (let drawn = 0; drawn < 200_000; drawn++) {
      const word = vocabulary.draw(random);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const [first = '', tenth = ''] = [vocabulary.words[0], vocabulary.words[9]];
    expect((counts.get(first) ?? 0) / (counts.get(tenth) ?? 1)).toBeCloseTo(10, -1);
    expect(counts.size).toBeGreaterThan(10_000);
  });
});

describe('Corpus', () => {
  it('gives the same texts for the same seed, and others for another one', () => {
    expect(take(new Corpus(5, SIZE), 20)).toEqual(take(new Corpus(5, SIZE), 20));
    expect(take(new Corpus(5, SIZE), 20)).not.toEqual(take(new Corpus(6, SIZE), 20));
  });

  it('starts at a word, needs no escapes, and gives every text once before one comes again', () => {
    const corpus = new Corpus(5, SIZE);
    for (const text of take(corpus, 1_000)) expect(text).toMatch(/^[a-z][a-z. ]{699}$/);
    const again = new Corpus(5, SIZE);
    expect(new Set(Array.from({ length: again.texts }, () => again.next())).size).toBe(again.texts);
    expect(again.texts).toBeGreaterThan(50_000);
  });
});
