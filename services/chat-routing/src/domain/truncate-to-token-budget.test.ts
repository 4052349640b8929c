import { describe, expect, it } from '@jest/globals';
import { truncateToTokenBudget } from './truncate-to-token-budget.ts';

/** A word is a token. */
const count = async (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const words = (length: number, word = 'word') => Array.from({ length }, () => word).join(' ');

describe('texts that share a budget', () => {
  it('are whole where they fit', async () => {
    await expect(truncateToTokenBudget([words(40), '', words(60)], 100, count)).resolves.toEqual([words(40), '', words(60)]);
  });

  it('are cut where there is not, the long ones only', async () => {
    const [short, long, longer] = await truncateToTokenBudget([words(50), words(500), words(5_000)], 1_000, count);
    expect(short).toBe(words(50));
    await expect(count(long ?? '')).resolves.toBeGreaterThan(400);
    const sizes = await Promise.all([short, long, longer].map((text) => count(text ?? '')));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1_000);
    expect(sizes[2]).toBeGreaterThan(400);
  });

  it('keep to the budget where the start of a text has more tokens than its length suggests', async () => {
    const dense = `${words(2_000, 'a')} ${words(2_000, 'aaaaaaaaaaaaaaaaaaa')}`;
    const [cut] = await truncateToTokenBudget([dense], 1_000, count);
    await expect(count(cut ?? '')).resolves.toBeLessThanOrEqual(1_000);
    expect(cut).not.toBe('');
  });

  it('are left out where next to nothing of them would be shown', async () => {
    await expect(truncateToTokenBudget([words(500), words(600)], 40, count)).resolves.toEqual(['', expect.stringMatching(/^(word ?)+$/)]);
    await expect(truncateToTokenBudget([words(500)], 0, count)).resolves.toEqual(['']);
    await expect(truncateToTokenBudget([words(500)], -10, count)).resolves.toEqual(['']);
  });

  it('are never cut through a word or a character', async () => {
    const [cut] = await truncateToTokenBudget([words(1_000, 'whole')], 100, count);
    expect(cut).toMatch(/^(whole ?)+$/);
    const letters = async (text: string) => text.length;
    const [emoji] = await truncateToTokenBudget(['🚀'.repeat(100)], 101, letters);
    expect(emoji).toMatch(/^(🚀)+$/u);
  });
});
