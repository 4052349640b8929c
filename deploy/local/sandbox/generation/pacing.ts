// The mean is 1. A fixed table: the same reply has the same rhythm every time.
const RHYTHM = [1, 0.6, 1.3, 0.8, 1.7, 0.7, 1.1, 0.8] as const;

/** The pace of all replies of a server; `delayMs` may change while they are being produced. */
export class Pacing {
  /** Mean pause between two deltas in ms; 0 for none. */
  delayMs: number;

  constructor(delayMs: number) {
    this.delayMs = delayMs;
  }

  /** The pause before the nth delta in ms. */
  before(n: number): number {
    return this.delayMs * (RHYTHM[n % RHYTHM.length] ?? 1);
  }
}
