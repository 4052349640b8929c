import { type Database } from './database.ts';

/** The database, and the hook for commits that write events. */
export interface Store {
  database: Database;
  /** Wakes the relay of the outbox; called after each commit that inserted events. */
  wakeOutboxRelay: () => void;
}
