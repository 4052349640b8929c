import { describe, expect, it } from '@jest/globals';
import { LatencyMeter } from './latency-meter.ts';

/** A meter that has measured one latency, which ended at the moment that is given. */
function measured(ms: number, now = 0): LatencyMeter {
  const meter = new LatencyMeter();
  meter.recordAccepted(meter.begin(now - ms), now);
  return meter;
}

describe('LatencyMeter', () => {
  it('knows nothing at first, and expects the worst of a first attempt that runs', () => {
    const meter = new LatencyMeter();
    expect(meter.latencyAt(5)).toBe(0);
    meter.begin(5);
    expect(meter.latencyAt(5)).toBeGreaterThan(500);
  });

  it('follows a peak at once and forgets it slowly', () => {
    const meter = measured(100);
    meter.recordAccepted(meter.begin(-2_900), 100);
    expect(meter.latencyAt(100)).toBe(3_000);
    meter.recordAccepted(meter.begin(100), 200);
    expect(meter.latencyAt(200)).toBeGreaterThan(2_000);
    expect(meter.latencyAt(60_000)).toBeLessThan(100);
  });

  it('takes a connection that fails fast for a slow one', () => {
    const meter = measured(100);
    meter.recordFailed(meter.begin(10), 11);
    expect(meter.latencyAt(11)).toBeGreaterThan(10_000);
  });

  it('sees a connection that swallows requests before the first of them times out', () => {
    const meter = measured(100);
    meter.begin(1_000);
    expect(meter.latencyAt(6_000)).toBe(5_000);
  });

  it('learns nothing from an attempt that its client gave up', () => {
    const meter = measured(100);
    meter.abandonAttempt(meter.begin(0));
    expect(meter.latencyAt(0)).toBe(100);
  });

  it('gives a connection that has recovered its share little by little', () => {
    const meter = new LatencyMeter();
    meter.recordFailed(meter.begin(0), 1);
    meter.resetForSlowStart(1_000);
    meter.recordAccepted(meter.begin(1_000), 1_100);
    const early = meter.latencyAt(1_100);
    expect(early).toBeGreaterThan(400);
    meter.recordAccepted(meter.begin(40_000), 40_100);
    expect(meter.latencyAt(40_100)).toBe(100);
  });
});
