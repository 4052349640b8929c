import { type Database } from './database.ts';

/** The storage of handlers, consumers and the sweeper. It sends no notices: this service publishes no events. */
export interface Store {
  database: Database;
}
