/** Weight of the newest measurement. */
const NEWEST = 0.2;
/** What was slow is tried again some time: a measurement counts half after this long without a newer one. */
const HALF_LIFE_MS = 60_000;

/** A moving average of latency in milliseconds that fades while nothing is measured. */
export class MovingLatency {
  #average = 0;
  #notedAt = 0;

  note(ms: number, now: number): void {
    const before = this.at(now);
    this.#average = before === 0 ? ms : before * (1 - NEWEST) + ms * NEWEST;
    this.#notedAt = now;
  }

  /** The average at a moment; 0 when nothing was ever measured. */
  at(now: number): number {
    return this.#average * 0.5 ** ((now - this.#notedAt) / HALF_LIFE_MS);
  }
}
