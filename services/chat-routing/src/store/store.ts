import { type Database } from './database.ts';

/** The database and the hook of every change of projects. */
export interface Store {
  database: Database;
  /** Called after each commit that put events into the outbox: wakes its relay. */
  announce: () => void;
}
