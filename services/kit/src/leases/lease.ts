/** One worker's hold on one piece of durable work. The database's clock alone decides how long it lasts. */
export interface Lease {
  id: string;
  /** Fences: whoever comes later has a higher one, and only the newest can move the work. */
  generation: number;
}

/** The work is cancelled, gone, or somebody else has it: whatever this worker has done does not count. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
