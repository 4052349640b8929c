import { describe, expect, it } from '@jest/globals';
import { type EdgeConfig } from '../../config.ts';
import { getAssetWaitMs } from './drain-timeouts.ts';

describe('the wait of an answer for its assets', () => {
  it.each([
    { drainMs: 50_000, isDraining: false, waitMs: 60_000 },
    { drainMs: 50_000, isDraining: true, waitMs: 0 },
    { drainMs: 660_000, isDraining: true, waitMs: 60_000 },
  ])('is $waitMs ms with a drain of $drainMs ms (draining: $isDraining)', ({ drainMs, isDraining, waitMs }) => {
    const config = { drainMs, assetWaitMs: 60_000 } as EdgeConfig;
    const draining = isDraining ? AbortSignal.abort() : new AbortController().signal;
    expect(getAssetWaitMs({ config, draining })).toBe(waitMs);
  });
});
