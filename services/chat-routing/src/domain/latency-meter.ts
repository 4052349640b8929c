import { LinkedSetMember, LinkedSet } from '@parley/kit/collections/linked-set';

/** Time in which the weight of a measurement decays to 1/e. */
const DECAY_MS = 10_000;
/** Minimum latency that a failure counts as, so that a connection that fails quickly does not look fast. */
const FAILURE_MS = 30_000;
/** Assumed latency of a connection that runs turns but was never measured. */
const UNKNOWN_MS = 1_000;
/** Time after which a recovered connection gets its full share of turns. */
const SLOW_START_MS = 30_000;
/** Factor by which its latency is raised at first. */
const SLOW_START_FACTOR = 8;

/** An attempt that its upstream has not accepted yet. `at`: when it began, on the meter's clock. */
export class PendingAttempt extends LinkedSetMember {
  readonly at: number;

  constructor(at: number) {
    super();
    this.at = at;
  }
}

/**
 * The latency to the first event on one connection, as a moving average that rises with peaks at once and decays slowly (peak EWMA, as in
 * Twitter's Finagle and Linkerd). Failures count as a long latency, and so does an attempt that is still waiting, so that a connection that
 * never responds is detected before its first request times out. Times are milliseconds of a monotonic clock.
 */
export class LatencyMeter {
  readonly #pending = new LinkedSet<PendingAttempt>();
  #latency = 0;
  #notedAt = 0;
  #recoveredAt = Number.NEGATIVE_INFINITY;

  /** Registers an attempt that begins at `now`; end it with `recordAccepted`, `recordFailed` or `discardAttempt`. */
  begin(now: number): PendingAttempt {
    const attempt = new PendingAttempt(now);
    this.#pending.add(attempt);
    return attempt;
  }

  /** Records that the upstream accepted an attempt; returns its latency in milliseconds. */
  recordAccepted(attempt: PendingAttempt, now: number): number {
    const ms = now - attempt.at;
    if (this.#pending.delete(attempt)) this.#note(ms, now);
    return ms;
  }

  /** Records that an attempt failed because of the upstream. */
  recordFailed(attempt: PendingAttempt, now: number): void {
    if (this.#pending.delete(attempt)) this.#note(Math.max(now - attempt.at, FAILURE_MS), now);
  }

  /** Removes an attempt that ended without information about the connection. */
  abandonAttempt(attempt: PendingAttempt): void {
    this.#pending.delete(attempt);
  }

  /** Resets the average and begins the slow start, when the connection admits turns again. */
  resetForSlowStart(now: number): void {
    this.#recoveredAt = now;
    this.#latency = 0;
  }

  /** Expected latency of a turn that starts at `now`, in milliseconds; 0 when nothing is known and nothing runs. */
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
