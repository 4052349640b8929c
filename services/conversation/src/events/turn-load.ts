const WINDOW_MS = 1_000;
/** Commits of turns in a second beyond which what is for later makes room; groups of turns leave at most some 200 times a second. */
const BUSY_COMMITS = 10;
const MAX_REST_MS = 2_000;

/** How busy this process is with turns, and how long work that can wait should therefore rest. */
export class TurnLoad {
  readonly #now: () => number;
  #since: number;
  #count = 0;
  #before = 0;

  /** `now` gives milliseconds of a clock that never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Turns were committed. */
  record(): void {
    this.#turn();
    this.#count++;
  }

  /** How long to rest after work of so many milliseconds: as long again, and under load up to twenty times as long. */
  restMs(workedMs: number): number {
    this.#turn();
    const factor = Math.max(1, Math.max(this.#count, this.#before) / BUSY_COMMITS);
    return Math.min(workedMs * factor, MAX_REST_MS);
  }

  #turn(): void {
    const past = this.#now() - this.#since;
    if (past < WINDOW_MS) return;
    this.#before = past < 2 * WINDOW_MS ? this.#count : 0;
    this.#count = 0;
    this.#since += past;
  }
}
