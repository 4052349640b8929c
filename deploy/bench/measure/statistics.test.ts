import { describe, expect, it } from '@jest/globals';
import { quantile, ratio, spreadOf } from './statistics.ts';

describe('statistics', () => {
  it('interpolates quantiles of unsorted values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5], 0.99)).toBeCloseTo(4.96);
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('gives median, min and max, and nothing of nothing', () => {
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
    expect(spreadOf([])).toBeUndefined();
  });

  it('divides medians where there is something to divide', () => {
    const of = (median: number) => ({ median, min: median, max: median });
    expect(ratio(of(3), of(2))).toBe(1.5);
    expect(ratio(of(3), of(0))).toBeUndefined();
    expect(ratio(undefined, of(2))).toBeUndefined();
  });
});
