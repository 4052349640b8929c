import { type Database } from './database.ts';

/** What handlers, consumers and the sweep read and write. Nothing is announced after a commit: this service publishes no events. */
export interface Store {
  database: Database;
}
