import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TokenCounter } from './token-counter.ts';

describe('TokenCounter', () => {
  let counter: TokenCounter;
  beforeEach(() => {
    counter = new TokenCounter();
  });
  afterEach(() => counter.close());

  it('counts as the tokenizer does', async () => {
    await expect(Promise.all(['', 'Hello, world!', 'a 你好 😀'].map((text) => counter.count(text)))).resolves.toEqual([0, 4, 4]);
  });

  it('takes what looks like a special token for text, and lives on', async () => {
    await expect(counter.count('a <|endoftext|> b')).resolves.toBe(9);
    await expect(counter.count('Hello, world!')).resolves.toBe(4);
  });

  it.each(['a', ' ', '你', '!', '\u{1F600}', '\ud800', '\n'])('is not held up by a run of %j', async (character) => {
    await counter.count('warm');
    const text = character.repeat(200_000 / character.length);
    const counted = await counter.count(text);
    // Neither the estimate for a tokenizer that takes too long, nor nothing.
    expect(counted).toBeGreaterThan(0);
    expect(counted).not.toBe(text.length / 4);
  });

  it('scales long texts up', async () => {
    await expect(counter.count('x y '.repeat(1_000_000))).resolves.toBe(2_000_020);
  });

  it('estimates once it is closed', async () => {
    const counting = counter.count('12345678');
    await counter.close();
    await expect(counting).resolves.toBe(2);
    await expect(counter.count('1234')).resolves.toBe(1);
  });
});
