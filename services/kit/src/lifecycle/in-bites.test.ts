import { describe, expect, it } from '@jest/globals';
import { inBatches } from './in-batches.ts';

describe('inBatches', () => {
  it('goes on until a bite is not full, and says how much was done', async () => {
    const sizes: number[] = [];
    const left = [10, 10, 3, 10];
    const bite = async (size: number) => {
      sizes.push(size);
      return left.shift() ?? 0;
    };
    await expect(inBatches(10, bite)).resolves.toBe(23);
    expect(sizes).toEqual([10, 10, 10]);
  });

  it('begins no bite once it is told to end', async () => {
    const stop = new AbortController();
    const bite = async () => {
      stop.abort();
      return 10;
    };
    await expect(inBatches(10, bite, stop.signal)).resolves.toBe(10);
    await expect(inBatches(10, bite, stop.signal)).resolves.toBe(0);
  });

  it('fails as a bite does', async () => {
    await expect(inBatches(10, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
