import { DDSketch } from '@datadog/sketches-js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LatencyBuckets, EMPTY_PERCENTILES, toLatencyBucket } from './latency-buckets.ts';

const latency = fc.oneof(fc.nat(100), fc.integer({ min: 100, max: 200_000 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });

function bucketsOf(values: readonly number[]): LatencyBuckets {
  const buckets = new LatencyBuckets();
  for (const ms of values) buckets.add(toLatencyBucket(ms), 1);
  return buckets;
}

describe('latency buckets', () => {
  it('have percentiles within 2 % of the true ones, which are those of a DDSketch', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const sketch = new DDSketch({ relativeAccuracy: 0.01 });
        for (const ms of values) sketch.accept(ms);
        const found = bucketsOf(values).toPercentiles();
        expect(found.count).toBe(values.length);
        for (const [quantile, ms] of [
          [0.5, found.p50Ms],
          [0.9, found.p90Ms],
          [0.95, found.p95Ms],
          [0.99, found.p99Ms],
        ] as const) {
          const exact = sorted[Math.floor(quantile * (values.length - 1))] ?? Number.NaN;
          expect(Math.abs(ms - exact)).toBeLessThanOrEqual(0.02 * exact);
          expect(ms).toBe(Math.round(sketch.getValueAtQuantile(quantile)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are the same whether latencies are added at once or in parts that were stored', () => {
    fc.assert(
      fc.property(fc.array(latencies, { maxLength: 5 }), (parts) => {
        const sum = new LatencyBuckets();
        for (const part of parts) sum.addStored(bucketsOf(part).toStored());
        expect(sum.toStored()).toEqual(bucketsOf(parts.flat()).toStored());
      }),
    );
  });

  it('keep counts of any size', () => {
    const buckets = new LatencyBuckets();
    for (const count of [1, 127, 128, 2 ** 31, 2 ** 40]) buckets.add(toLatencyBucket(250), count);
    const again = new LatencyBuckets();
    again.addStored(buckets.toStored());
    expect(again.toPercentiles().count).toBe(256 + 2 ** 31 + 2 ** 40);
    expect(again.toStored()).toEqual(buckets.toStored());
  });

  it('are empty after they were cleared', () => {
    const buckets = bucketsOf([0, 1, 1_000, 2 ** 32 - 1]);
    buckets.clear();
    expect(buckets.toStored()).toHaveLength(0);
    expect(buckets.toPercentiles()).toEqual(EMPTY_PERCENTILES);
  });
});
