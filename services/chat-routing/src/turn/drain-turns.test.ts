import { describe, expect, it } from '@jest/globals';
import { toDrainLimits } from './drain-turns.ts';

describe('the parts of a drain', () => {
  it('leave turns all but the last seconds', () => {
    expect(toDrainLimits(660_000)).toEqual({ turnsMs: 650_000, stopMs: 10_000 });
    expect(toDrainLimits(50_000)).toEqual({ turnsMs: 40_000, stopMs: 10_000 });
    expect(toDrainLimits(4_000)).toEqual({ turnsMs: 2_000, stopMs: 2_000 });
  });
});
