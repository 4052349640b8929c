import { DDSketch } from '@datadog/sketches-js';

/** Half of the accuracy that a report promises: rounding to whole milliseconds may use the other half. */
const RELATIVE_ACCURACY = 0.01;
/** The largest duration that an event can have, in milliseconds. */
const MAX_MS = 2 ** 32 - 1;

const { mapping } = new DDSketch({ relativeAccuracy: RELATIVE_ACCURACY });
const BUCKETS = mapping.key(MAX_MS) + 2;

/** Percentiles of latencies in milliseconds, each within 2 % of the value at its rank; 0 without values. */
export interface Percentiles {
  count: number;
  p50Ms: number;
  p90Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** The percentiles without any latency. */
export const EMPTY_PERCENTILES: Percentiles = { count: 0, p50Ms: 0, p90Ms: 0, p95Ms: 0, p99Ms: 0 };

/** Returns the bucket of a latency in whole milliseconds: 0 for 0 ms, then the buckets of a DDSketch (https://arxiv.org/abs/1908.10693). */
export function toLatencyBucket(ms: number): number {
  return ms < 1 ? 0 : mapping.key(Math.min(ms, MAX_MS)) + 1;
}

/** Returns the latency that represents a bucket, in milliseconds. */
function toMs(bucket: number): number {
  return bucket === 0 ? 0 : Math.round(mapping.value(bucket - 1));
}

/**
 * Counts of latencies by bucket. The stored form has only the buckets with counts, in order: the distance to the previous bucket and the
 * count, both as variable-length integers of base 128. One object is reused for many sums in turn.
 */
export class LatencyBuckets {
  readonly #counts = new Float64Array(BUCKETS);
  #first = BUCKETS;
  #last = -1;

  /** Removes all counts. */
  clear(): void {
    if (this.#last >= 0) this.#counts.fill(0, this.#first, this.#last + 1);
    this.#first = BUCKETS;
    this.#last = -1;
  }

  /** Adds `count` latencies of a bucket. */
  add(bucket: number, count: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    if (bucket < this.#first) this.#first = bucket;
    if (bucket > this.#last) this.#last = bucket;
  }

  /** Adds counts in their stored form. */
  addStored(bytes: Uint8Array): void {
    let bucket = 0;
    let isCount = false;
    let value = 0;
    let scale = 1;
    for (const byte of bytes) {
      value += (byte % 128) * scale;
      scale *= 128;
      if (byte >= 128) continue;
      if (isCount) this.add(bucket, value);
      else bucket += value;
      isCount = !isCount;
      value = 0;
      scale = 1;
    }
  }

  /** Returns the stored form. */
  toStored(): Uint8Array {
    const bytes: number[] = [];
    let before = 0;
    for (let bucket = this.#first; bucket <= this.#last; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count === 0) continue;
      writeNumber(bytes, bucket - before);
      writeNumber(bytes, count);
      before = bucket;
    }
    return Uint8Array.from(bytes);
  }

  /** Returns the percentiles, by the nearest rank below as in DDSketch: the value at rank ⌊q · (count − 1)⌋ of the sorted latencies. */
  toPercentiles(): Percentiles {
    let count = 0;
    for (let bucket = this.#first; bucket <= this.#last; bucket++) count += this.#counts[bucket] ?? 0;
    const at = (quantile: number) => this.#valueAt(Math.floor(quantile * (count - 1)));
    return { count, p50Ms: at(0.5), p90Ms: at(0.9), p95Ms: at(0.95), p99Ms: at(0.99) };
  }

  #valueAt(rank: number): number {
    let below = 0;
    for (let bucket = this.#first; bucket <= this.#last; bucket++) {
      below += this.#counts[bucket] ?? 0;
      if (below > rank) return toMs(bucket);
    }
    return 0;
  }
}

function writeNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}
