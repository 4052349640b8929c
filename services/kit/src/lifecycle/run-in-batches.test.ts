import { describe, expect, it } from '@jest/globals';
import { runInBatches } from './run-in-batches.ts';

describe('runInBatches', () => {
  it('continues until a batch is not full, and returns the total', async () => {
    const sizes: number[] = [];
    const left = [10, 10, 3, 10];
    const batch = async (size: number) => {
      sizes.push(size);
      return left.shift() ?? 0;
    };
    await expect(runInBatches(10, batch)).resolves.toBe(23);
    expect(sizes).toEqual([10, 10, 10]);
  });

  it('starts no batch after the signal aborts', async () => {
    const stop = new AbortController();
    const batch = async () => {
      stop.abort();
      return 10;
    };
    await expect(runInBatches(10, batch, stop.signal)).resolves.toBe(10);
    await expect(runInBatches(10, batch, stop.signal)).resolves.toBe(0);
  });

  it('rejects with the error of a batch', async () => {
    await expect(runInBatches(10, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
