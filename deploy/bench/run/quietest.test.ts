import { describe, expect, it } from '@jest/globals';
import { quietest } from './quietest.ts';

function attempts(...shares: number[]): () => Promise<{ foreignShare: number }> {
  return async () => ({ foreignShare: shares.shift() ?? Number.NaN });
}

describe('quietest', () => {
  it('takes the first undisturbed window', async () => {
    expect(await quietest(attempts(0.05, 0.01))).toEqual({ foreignShare: 0.05, attempts: 1, noisy: false });
    expect(await quietest(attempts(0.5, 0.02))).toEqual({ foreignShare: 0.02, attempts: 2, noisy: false });
  });

  it('keeps the quietest of three and says that it is noisy', async () => {
    expect(await quietest(attempts(0.5, 0.2, 0.3, 0))).toEqual({ foreignShare: 0.2, attempts: 3, noisy: true });
  });
});
