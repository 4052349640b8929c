// The mean is 1. A fixed table: the same reply has the same rhythm every time.
const RHYTHM = [1, 0.6, 1.3, 0.8, 1.7, 0.7, 1.1, 0.8] as const;

const DEFAULT_SOURCE_MS = 300;

/** The pace of a server; it may change at any time, also for what is under way. */
export class Pacing {
  /** Mean pause between two deltas in ms; 0 for none. */
  delayMs: number;

  /** How long a file of a project is being processed, in ms. */
  sourceMs = DEFAULT_SOURCE_MS;
  /** How long after its turn began an artifact can be fetched, in ms. */
  artifactMs = 0;

  constructor(delayMs: number) {
    this.delayMs = delayMs;
  }

  /** The pause before the nth delta in ms. */
  before(n: number): number {
    return this.delayMs * (RHYTHM[n % RHYTHM.length] ?? 1);
  }
}
