import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leastLoaded } from './account-choice.ts';
import { MovingLatency } from './moving-latency.ts';

const first = () => 0;
const last = () => 0.999_999;

describe('leastLoaded', () => {
  it('has nobody to choose from nobody', () => expect(leastLoaded([])).toBeUndefined());

  it('prefers fewer turns in flight, then the quicker account', () => {
    const quick = { inFlight: 0, latencyMs: 100 };
    const slow = { inFlight: 0, latencyMs: 2_000 };
    expect(leastLoaded([slow, quick])).toBe(quick);
    expect(leastLoaded([{ inFlight: 3, latencyMs: 100 }, quick])).toBe(quick);
    // A long queue at the quick one makes the slow one worth it.
    expect(leastLoaded([{ ...quick, inFlight: 30 }, slow])).toBe(slow);
  });

  it('breaks ties at random', () => {
    const [one, two] = [
      { inFlight: 1, latencyMs: 200 },
      { inFlight: 1, latencyMs: 210 },
    ];
    expect(leastLoaded([one, two], first)).toBe(one);
    expect(leastLoaded([one, two], last)).toBe(two);
  });

  it('never takes one that is clearly worse than another', () => {
    const candidate = fc.record({ inFlight: fc.nat(1_000), latencyMs: fc.nat(100_000) });
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (candidates, random) => {
        const chosen = leastLoaded(candidates, () => random);
        expect(candidates).toContain(chosen);
        for (const { inFlight, latencyMs } of candidates) {
          const isWorse = chosen && chosen.inFlight > inFlight * 1.1 + 1 && chosen.latencyMs > latencyMs * 1.1 + 100;
          expect(isWorse).toBe(false);
        }
      }),
    );
  });
});

describe('MovingLatency', () => {
  it('knows nothing at first, then follows what is measured', () => {
    const latency = new MovingLatency();
    expect(latency.at(5)).toBe(0);
    latency.note(100, 5);
    expect(latency.at(5)).toBe(100);
    latency.note(200, 5);
    expect(latency.at(5)).toBe(120);
  });

  it('fades, so that what was slow is tried again', () => {
    const latency = new MovingLatency();
    latency.note(30_000, 0);
    expect(latency.at(60_000)).toBe(15_000);
    expect(latency.at(600_000)).toBeLessThan(30);
  });
});
