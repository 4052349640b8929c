/** A worker's lease on one piece of durable work. It expires by the database's clock. */
export interface Lease {
  id: string;
  /** Fencing token: every new lease has a higher one, and only the newest can change the state of the work. */
  generation: number;
}

/** The work was cancelled, deleted or leased by another worker: this worker's results do not count. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
