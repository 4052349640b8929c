/** Weight of the newest measurement in the average, from 0 to 1. */
const NEWEST = 0.2;
/** The average halves after this time without a new measurement, so that a slow connection is tried again eventually. */
const HALF_LIFE_MS = 60_000;

/** A moving average of latency in milliseconds that decays while nothing is measured. */
export class MovingLatency {
  #average = 0;
  #notedAt = 0;

  note(ms: number, now: number): void {
    const before = this.at(now);
    this.#average = before === 0 ? ms : before * (1 - NEWEST) + ms * NEWEST;
    this.#notedAt = now;
  }

  /** The average at the time `now`; 0 when nothing was ever measured. */
  at(now: number): number {
    return this.#average * 0.5 ** ((now - this.#notedAt) / HALF_LIFE_MS);
  }
}
