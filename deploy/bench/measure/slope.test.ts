import { describe, expect, it } from '@jest/globals';
import { theilSenSlope } from './slope.ts';

describe('theilSenSlope', () => {
  it('is the slope of a line, whatever a few wild points say', () => {
    const points = Array.from({ length: 20 }, (_, x) => ({ x, y: x % 5 === 3 ? 1_000 : 7 + 2 * x }));
    expect(theilSenSlope(points)).toBeCloseTo(2, 0);
  });

  it('is 0 of a flat line and no number of one point', () => {
    expect(theilSenSlope([1, 2, 3].map((x) => ({ x, y: 4 })))).toBe(0);
    expect(theilSenSlope([{ x: 1, y: 1 }])).toBeNaN();
  });
});
