import { Linked, LinkedSet } from '@parley/kit/collections/linked-set';

/** Time in which a measurement loses all but 1/e of its weight. */
const DECAY_MS = 10_000;
/** A failure counts as this latency at least, so that a connection that fails fast looks slow and not quick. */
const FAILURE_MS = 30_000;
/** What a connection is taken for that runs turns and was never measured. */
const UNKNOWN_MS = 1_000;
/** A connection that has recovered takes its full share after this long. */
const SLOW_START_MS = 30_000;
/** How much slower than measured it looks at first. */
const SLOW_START_FACTOR = 8;

/** An attempt that no upstream has accepted yet. */
export class PendingAttempt extends Linked {
  readonly at: number;

  constructor(at: number) {
    super();
    this.at = at;
  }
}

/**
 * The latency to the first event of one connection, as a moving average that follows peaks at once and forgets them slowly (peak EWMA, as in
 * Twitter's Finagle and Linkerd). Failures count as a long latency, and so does an attempt that waits: a connection that swallows requests is seen before
 * the first of them times out. Times are milliseconds of a monotonic clock.
 */
export class LatencyMeter {
  readonly #pending = new LinkedSet<PendingAttempt>();
  #latency = 0;
  #notedAt = 0;
  #recoveredAt = Number.NEGATIVE_INFINITY;

  /** An attempt begins. */
  begin(now: number): PendingAttempt {
    const attempt = new PendingAttempt(now);
    this.#pending.add(attempt);
    return attempt;
  }

  /** The upstream has accepted an attempt; the latency in milliseconds. */
  accepted(attempt: PendingAttempt, now: number): number {
    const ms = now - attempt.at;
    if (this.#pending.delete(attempt)) this.#note(ms, now);
    return ms;
  }

  /** An attempt failed through the upstream. */
  failed(attempt: PendingAttempt, now: number): void {
    if (this.#pending.delete(attempt)) this.#note(Math.max(now - attempt.at, FAILURE_MS), now);
  }

  /** An attempt ended in a way that says nothing about the connection. */
  abandoned(attempt: PendingAttempt): void {
    this.#pending.delete(attempt);
  }

  /** The connection takes turns again. */
  recovered(now: number): void {
    this.#recoveredAt = now;
    this.#latency = 0;
  }

  /** What a turn that goes there now has to expect; 0 when nothing is known and nothing runs. */
  latencyAt(now: number): number {
    const measured = this.#latency * Math.exp((this.#notedAt - now) / DECAY_MS);
    const waiting = this.#pending.first ? now - this.#pending.first.at : 0;
    const known = this.#latency === 0 && this.#pending.first ? Math.max(UNKNOWN_MS, waiting) : Math.max(measured, waiting);
    return known * this.#slowStart(now);
  }

  #note(ms: number, now: number): void {
    const weight = Math.exp((this.#notedAt - now) / DECAY_MS);
    const before = this.#latency * weight;
    this.#latency = ms > before ? ms : before + ms * (1 - weight);
    this.#notedAt = now;
  }

  #slowStart(now: number): number {
    const share = (now - this.#recoveredAt) / SLOW_START_MS;
    return share >= 1 ? 1 : SLOW_START_FACTOR ** (1 - share);
  }
}
