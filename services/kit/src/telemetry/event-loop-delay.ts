import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** How late the event loop was between two scrapes, in seconds. */
export interface EventLoopDelay {
  p50: number;
  p99: number;
  max: number;
}

/** How often the delay is sampled, in milliseconds. Every sample wakes the process. */
const SAMPLE_MS = 20;
/** Sampling stops after this long without a scrape, in milliseconds. */
const QUIET_MS = 120_000;

/**
 * Measures the delay of the event loop, from the first scrape on and only while there are scrapes: sampling would wake an idle process
 * needlessly.
 */
export class EventLoopMonitor {
  #histogram: IntervalHistogram | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Returns the delays since the last call; undefined for the first call after a pause, and when there was no sample yet. */
  read(): EventLoopDelay | undefined {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(), QUIET_MS).unref();
    if (!this.#histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
      this.#histogram.enable();
      return undefined;
    }
    const histogram = this.#histogram;
    // A reset also discards the last wake-up: scrapes in quick succession would never get a sample.
    if (histogram.count === 0) return undefined;
    const delay = { p50: toDelay(histogram.percentile(50)), p99: toDelay(histogram.percentile(99)), max: toDelay(histogram.max) };
    histogram.reset();
    return delay;
  }

  #stop(): void {
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}

/** Returns the delay in seconds of a sample, which is the time between two wake-ups in nanoseconds: what exceeds the interval is delay. */
function toDelay(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - SAMPLE_MS / 1e3);
}
