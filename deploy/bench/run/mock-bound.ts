import { spreadOf } from '../measure/statistics.ts';
import { type ThroughputWindow } from '../results.ts';

// A core counts as full a little below 1: the kernel's ticks round down.
const FULL_CORE = 0.9;
const NEAR_DIRECT = 0.9;

/**
 * Marks the windows whose rate says what the mock and the load can do, not what the target can: the target had time left, and either the
 * load's core was full or the rate came near that of `direct` (the mock's pacing).
 */
export function markMockBound(windows: readonly ThroughputWindow[]): ThroughputWindow[] {
  const direct = spreadOf(windows.filter(({ target }) => target === 'direct').map(({ perSecond }) => perSecond));
  return windows.map((window) => {
    const paced = direct !== undefined && window.perSecond >= direct.median * NEAR_DIRECT;
    return { ...window, mockBound: window.targetCores < FULL_CORE && (window.loadCores >= FULL_CORE || paced) };
  });
}
