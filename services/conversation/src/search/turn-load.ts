const WINDOW_MS = 1_000;
/** Commits of turns per second above which background work pauses longer; there are at most about 200 per second. */
const BUSY_COMMITS = 10;
const MAX_PAUSE_MS = 2_000;

/** Measures the load of turns in this process, and derives how long background work pauses. */
export class TurnLoad {
  readonly #now: () => number;
  #since: number;
  #count = 0;
  #before = 0;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts a commit of turns. */
  record(): void {
    this.#turn();
    this.#count++;
  }

  /** Pause after work of `workedMs` milliseconds: as long again, and up to twenty times as long under load. */
  pauseMs(workedMs: number): number {
    this.#turn();
    const factor = Math.max(1, Math.max(this.#count, this.#before) / BUSY_COMMITS);
    return Math.min(workedMs * factor, MAX_PAUSE_MS);
  }

  #turn(): void {
    const past = this.#now() - this.#since;
    if (past < WINDOW_MS) return;
    this.#before = past < 2 * WINDOW_MS ? this.#count : 0;
    this.#count = 0;
    this.#since += past;
  }
}
