import { describe, expect, it } from '@jest/globals';
import { judgeFlatness } from './flatness.ts';
import { type SoakSample } from './results.ts';

const MINUTES = 5;

/** Samples once a second with a saw of 40 MiB, a tooth every 50 s, on a line that has `mibAt` of the minute. */
function samples(mibAt: (minute: number) => number): SoakSample[] {
  return Array.from({ length: MINUTES * 60 }, (_, at) => {
    const privateKib = (mibAt(at / 60) + (at % 50) * 0.8) * 1024;
    return { at, answered: 200, aborted: 0, failed: 0, cores: 0.3, memory: { node: { rssKib: privateKib, privateKib, processes: 1 } } };
  });
}

const verdict = (mibAt: (minute: number) => number) => judgeFlatness(samples(mibAt))[0];

describe('judgeFlatness', () => {
  it('lets a saw and a rise at the start pass', () => {
    expect(verdict((minute) => Math.min(200, 100 + 120 * minute))).toMatchObject({ program: 'node', flat: true });
  });

  it('finds a leak of 3 MiB a minute under the saw', () => {
    const leak = verdict((minute) => 200 + 3 * minute);
    expect(leak?.flat).toBe(false);
    expect(leak?.slopeMibPerMinute).toBeCloseTo(3, 0);
  });

  it('lets a line fall', () => {
    expect(verdict((minute) => 200 - 5 * minute)?.flat).toBe(true);
  });
});
