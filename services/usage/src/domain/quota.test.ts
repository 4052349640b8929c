import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calculateGrant } from './quota.ts';

describe('calculateGrant', () => {
  it.each([
    ['what is wanted, far from the limit', { limit: 1_000, needed: 1, wanted: 16 }, 0, 16],
    ['a share of what is left', { limit: 1_000, needed: 1, wanted: 500 }, 600, 50],
    ['what is needed, where that is more', { limit: 1_000, needed: 300, wanted: 500 }, 600, 300],
    ['the last one', { limit: 10, needed: 1, wanted: 16 }, 9, 1],
    ['nothing, where too little is left', { limit: 10, needed: 4, wanted: 16 }, 7, 0],
    ['nothing at the limit', { limit: 10, needed: 1, wanted: 16 }, 10, 0],
    ['nothing beyond the limit', { limit: 10, needed: 1, wanted: 16 }, 14, 0],
    ['nothing to one who needs none, at the limit', { limit: 10, needed: 0, wanted: 16 }, 10, 0],
  ])('grants %s', (_what, demand, used, granted) => expect(calculateGrant(demand, used)).toBe(granted));

  it('never grants more than is left or less than the minimum', () => {
    const amount = fc.nat(1_000_000_000);
    fc.assert(
      fc.property(amount, amount, amount, amount, (limit, needed, wanted, used) => {
        const granted = calculateGrant({ limit, needed, wanted }, used);
        expect(granted).toBeLessThanOrEqual(Math.max(0, limit - used));
        expect(granted === 0 || granted >= needed).toBe(true);
      }),
    );
  });
});
