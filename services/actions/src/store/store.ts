import { type StoredRun } from '../domain/run.ts';
import { type Database } from './database.ts';

/** The storage of runs and the notification of their changes. */
export interface Store {
  database: Database;
  /** Called after the commit of every event of a run: notifies workers and watchers of all replicas, and wakes the outbox relay. */
  notifyChanged: (run: StoredRun) => void;
}
