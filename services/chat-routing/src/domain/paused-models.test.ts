import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPaused, dropUnlistedPauses, type ModelPause, pauseModel, resumeModel } from './paused-models.ts';

const POLICY = { modelMs: 600_000, maxModelMs: 86_400_000 };
const NONE: readonly ModelPause[] = [];

describe('models that the upstream does not know', () => {
  it('are paused for ten minutes, then twice as long each time, a day at most', () => {
    let now = 1_000;
    let resting = NONE;
    const rests = Array.from({ length: 10 }, () => {
      resting = pauseModel(resting, 'm', now, POLICY);
      const { until = 0 } = resting[0] ?? {};
      const rest = until - now;
      expect([isPaused(resting, 'm', until - 1), isPaused(resting, 'm', until)]).toEqual([true, false]);
      now = until;
      return rest / 60_000;
    });
    expect(rests).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]);
  });

  it('are paused no longer for turns that had begun before', () => {
    const resting = pauseModel(NONE, 'm', 0, POLICY);
    expect(pauseModel(resting, 'm', 1, POLICY)).toBe(resting);
  });

  it('are forgotten when a turn with them is answered, or when they are listed no more', () => {
    const resting = pauseModel(pauseModel(NONE, 'a', 0, POLICY), 'b', 0, POLICY);
    expect(resumeModel(resting, 'c')).toBe(resting);
    expect(resumeModel(resting, 'a')).toMatchObject([{ model: 'b' }]);
    expect(dropUnlistedPauses(resting, ['a', 'b', 'c'])).toBe(resting);
    expect(dropUnlistedPauses(resting, ['a'])).toMatchObject([{ model: 'a' }]);
  });

  it('are paused each by itself, and are a bounded number', () => {
    const asked = fc.array(fc.record({ model: fc.nat(300).map(String), wait: fc.nat(10_000_000) }), { maxLength: 400 });
    fc.assert(
      fc.property(asked, (times) => {
        let now = 0;
        let resting = NONE;
        for (const { model, wait } of times) {
          now += wait;
          const before = resting;
          resting = pauseModel(before, model, now, POLICY);
          expect(isPaused(resting, model, now)).toBe(true);
          expect(new Set(resting.map((rest) => rest.model)).size).toBe(resting.length);
          expect(resting.length).toBeLessThanOrEqual(100);
          for (const { until } of resting) expect(until - now).toBeLessThanOrEqual(POLICY.maxModelMs);
        }
      }),
      { numRuns: 50 },
    );
  });
});
