import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pickLeastLoaded, pickWeighted } from './connection-choice.ts';
import { createSeededRandom } from './testing/generator.ts';
import { simulateRouting, type SimulatedConnection } from './testing/routing-simulation.ts';

const first = () => 0;
const last = () => 0.999_999;

describe('pickLeastLoaded', () => {
  it('takes none of none', () => expect(pickLeastLoaded([])).toBeUndefined());

  it('prefers fewer turns in flight, then the quicker connection', () => {
    const quick = { inFlight: 0, latencyMs: 100 };
    const slow = { inFlight: 0, latencyMs: 2_000 };
    expect(pickLeastLoaded([slow, quick])).toBe(quick);
    expect(pickLeastLoaded([{ inFlight: 3, latencyMs: 100 }, quick])).toBe(quick);
    // A long queue at the quick one makes the slow one worth it.
    expect(pickLeastLoaded([{ ...quick, inFlight: 200 }, slow])).toBe(slow);
  });

  it('takes any of those that are about equal', () => {
    const one = { inFlight: 1, latencyMs: 200 };
    const two = { inFlight: 1, latencyMs: 210 };
    expect(pickLeastLoaded([one, two], first)).toBe(one);
    expect(pickLeastLoaded([one, two], last)).toBe(two);
  });

  it('takes the default one where it is about as good, and no further', () => {
    const other = { inFlight: 0, latencyMs: 200 };
    const near = { inFlight: 0, latencyMs: 240, isDefault: true };
    expect(pickLeastLoaded([other, near])).toBe(near);
    expect(pickLeastLoaded([other, { ...near, latencyMs: 300 }])).toBe(other);
  });

  it('never takes one that is clearly worse than another', () => {
    const candidate = fc.record({ inFlight: fc.nat(1_000), latencyMs: fc.nat(100_000), isDefault: fc.boolean() });
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (candidates, random) => {
        const chosen = pickLeastLoaded(candidates, () => random);
        expect(candidates).toContain(chosen);
        for (const { inFlight, latencyMs } of candidates) {
          const isWorse = chosen && chosen.inFlight > inFlight && chosen.latencyMs > (latencyMs + 20) * 1.3;
          expect(isWorse).toBe(false);
        }
      }),
    );
  });
});

describe('pickWeighted', () => {
  it('takes each as often as its weight demands', () => {
    const random = createSeededRandom(1);
    const counts = { a: 0, b: 0 };
    for (let turn = 0; turn < 4_000; turn++) counts[pickWeighted(['a', 'b'] as const, (name) => (name === 'a' ? 3 : 1), random) ?? 'b']++;
    expect(counts.a / 4_000).toBeCloseTo(0.75, 1);
  });
});

describe('routing, simulated', () => {
  const load = (connections: readonly SimulatedConnection[], utilisation: number, turns = 4_000) => {
    const perSecond = connections.reduce((sum, { slots, latencyMs }) => sum + (slots * 1_000) / latencyMs, 0) * utilisation;
    return { connections, rate: perSecond, durationMs: Math.max(5_000, (turns / perSecond) * 1_000), hangMs: 20_000, seed: 7 };
  };
  const mixed = (count: number, spread: number): SimulatedConnection[] =>
    Array.from({ length: count }, (_, at) => ({
      latencyMs: 200 * (1 + ((spread - 1) * at) / (count - 1)),
      slots: count > 10 ? 2 : 8,
    }));

  it.each([3, 10, 50])('shares the load of %d equal connections within 10 %% of even', (count) => {
    const { attempts } = simulateRouting(load(mixed(count, 1), 0.7, count * 1_500));
    const even = attempts.reduce((sum, one) => sum + one, 0) / count;
    for (const own of attempts) expect(Math.abs(own / even - 1)).toBeLessThan(0.1);
  });

  it.each([3, 10, 50])('answers about as soon over %d connections of mixed speeds as where all queues are known', (count) => {
    for (const spread of [4, 10]) {
      const given = load(mixed(count, spread), 0.6);
      expect(simulateRouting(given).meanMs).toBeLessThan(simulateRouting({ ...given, oracle: true }).meanMs * 1.1);
    }
  });

  const FATES: Record<string, NonNullable<SimulatedConnection['fate']>> = {
    'fails fast': () => 'fails',
    'is a black hole': () => 'hangs',
    'comes and goes': (at) => (Math.floor(at / 3_000) % 2 === 1 ? 'fails' : 'answers'),
  };
  describe.each(Object.entries(FATES))('with one that %s', (_name, fate) => {
    it.each([3, 10, 50])('fails at most 0.1 %% of the turns over %d connections, and the others share the load', (count) => {
      const connections = mixed(count, 2).map((one, at) => (at === 0 ? { ...one, fate } : one));
      const { turns, failed, attempts } = simulateRouting({ ...load(connections, 0.5), durationMs: 40_000 });
      expect(failed / turns).toBeLessThanOrEqual(0.001);
      expect((attempts[0] ?? 0) / turns).toBeLessThan(fate(0) === 'answers' ? 1 : 0.05);
    });
  });
});
