/** A worker's lease on one piece of durable work, such as a job or a run. It expires by the database's clock. */
export interface Lease {
  id: string;
  /** Fencing token: every new lease has a higher one, and only the newest can change the state of the work. */
  generation: number;
}

/** A piece of work that a worker has claimed. */
export interface ClaimedWork extends Lease {
  /** Whether an earlier lease of the piece expired. */
  takenOver: boolean;
}

/** Pieces that are due and not leased. */
export interface LeaseBacklog {
  /** Number of pieces, counted up to 100,000. */
  pieces: number;
  /** How long the oldest of them has been due, in seconds; 0 without one. */
  oldestSeconds: number;
}

/** The work was cancelled, deleted or leased by another worker: this worker's results do not count. */
export class LeaseLostError extends Error {
  override name = 'LeaseLost';
}
