import { describe, expect, it } from '@jest/globals';
import { backoffDelay, DEFAULT_BACKOFF } from './backoff.ts';

describe('backoffDelay', () => {
  it('doubles from 250 ms and stays at 5 s', () => {
    const middle = (): number => 0.5;
    expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => backoffDelay(attempt, DEFAULT_BACKOFF, middle))).toEqual([
      250, 500, 1000, 2000, 4000, 5000, 5000,
    ]);
  });

  it('spreads by a fifth each way and never exceeds the maximum', () => {
    expect(backoffDelay(0, DEFAULT_BACKOFF, () => 0)).toBe(200);
    expect(backoffDelay(0, DEFAULT_BACKOFF, () => 1)).toBe(300);
    expect(backoffDelay(9, DEFAULT_BACKOFF, () => 1)).toBe(5000);
  });
});
