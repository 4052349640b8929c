// Factors of the pauses, with a mean of 1. A fixed table: the same reply has the same rhythm every time.
const RHYTHM = [1, 0.6, 1.3, 0.8, 1.7, 0.7, 1.1, 0.8] as const;

const DEFAULT_SOURCE_MS = 300;

/** The pacing of a server; it may be changed at any time, also for replies in progress. */
export class Pacing {
  /** Mean pause between two deltas in ms; 0 for none. */
  delayMs: number;

  /** How long the processing of a project file takes, in ms. */
  fileProcessingMs = DEFAULT_SOURCE_MS;
  /** How long after the start of its turn an artifact becomes available, in ms. */
  artifactDelayMs = 0;

  constructor(delayMs: number) {
    this.delayMs = delayMs;
  }

  /** Returns the pause before the nth delta, in ms. */
  getDeltaDelayMs(n: number): number {
    return this.delayMs * (RHYTHM[n % RHYTHM.length] ?? 1);
  }
}
