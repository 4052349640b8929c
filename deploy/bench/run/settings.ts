/** Stored conversations of the database that larger ones are compared with. */
export const SMALL_DATABASE = 10;

/** How long and how hard a run measures. */
export interface Settings {
  rounds: number;
  /** Length of a window in s. */
  seconds: number;
  /** Load right before each window, in s. */
  warmSeconds: number;
  /** Connections of the flat-out load. */
  connections: number;
  /** Open streams of the memory scenario. */
  streams: number;
  /** Rest of the idle scenario, in s. */
  idleSeconds: number;
  /** Stored conversations that are compared with few, ascending. */
  storedSizes: number[];
}
