import { type StoredJob } from '../domain/job.ts';
import { type Database } from './database.ts';

/** The storage of jobs and the notification of their changes. */
export interface Store {
  database: Database;
  /** Called after the commit of every change: notifies workers and watchers of all replicas, and wakes the outbox relay. */
  notifyChanged: (moved: readonly StoredJob[]) => void;
}
