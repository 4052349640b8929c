import { type StoredJob } from '../domain/job.ts';
import { type Database } from './database.ts';

/** What everything that changes jobs works with. */
export interface Store {
  database: Database;
  /** Called after the commit of every change: notifies workers of all replicas and who watches, and wakes the outbox relay. */
  announce: (moved: readonly StoredJob[]) => void;
}
