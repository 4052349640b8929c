import { describe, expect, it } from '@jest/globals';
import { type ThroughputWindow } from '../results.ts';
import { markMockBound } from './mock-bound.ts';

function window(target: string, perSecond: number, targetCores: number, loadCores: number): ThroughputWindow {
  const counts = {
    answered: perSecond,
    seconds: 1,
    perSecond,
    sustainedPerSecond: perSecond,
    cpuMicrosEach: 1,
    targetCores,
    loadCores,
    mockBound: false,
    settleMs: 0,
  };
  return { kind: 'streams', target, round: 1, ...counts, foreignShare: 0, noisy: false, attempts: 1, failures: {} };
}

const marks = (...windows: ThroughputWindow[]): boolean[] => markMockBound(windows).map(({ mockBound }) => mockBound);

describe('markMockBound', () => {
  it('marks a target that had time left while the load had none', () => {
    expect(marks(window('nginx', 900, 0.6, 0.97))).toEqual([true]);
  });

  it('marks a target with time left that is as fast as direct', () => {
    expect(marks(window('direct', 1_500, 0.2, 0.5), window('nginx', 1_480, 0.3, 0.5))).toEqual([true, true]);
  });

  it('does not mark a full target, nor a slow one', () => {
    const [, full, slow] = marks(window('direct', 1_500, 0.2, 0.5), window('a', 1_490, 0.95, 0.97), window('b', 900, 0.7, 0.5));
    expect([full, slow]).toEqual([false, false]);
  });
});
