/** Stored conversations of the database that larger ones are compared with. */
export const SMALL_DATABASE = 10;

/** A window as long as this shows what a target sustains; a shorter one is marked. */
export const SUSTAINED_SECONDS = 30;

/** A window of a target without a record: it can put nothing off, so a longer one shows the same. */
export const STATELESS_SECONDS = 10;

/** How long and how hard a run measures. */
export interface Settings {
  rounds: number;
  /** Length of a window of flat-out load in s: requests, streams and burst. Targets without a record have `STATELESS_SECONDS` at most. */
  throughputSeconds: number;
  /** Length of the other windows in s. */
  seconds: number;
  /** Load right before each window, in s. */
  warmSeconds: number;
  /** Connections of the flat-out load. */
  connections: number;
  /** Turns of a window of the cost scenario. */
  turns: number;
  /** Open streams of the memory scenario. */
  streams: number;
  /** Rest of the idle scenario, in s. */
  idleSeconds: number;
  /** Stored conversations that are compared with few, ascending. */
  storedSizes: number[];
}
