import { type Database } from './database.ts';
import { type DatabaseClock } from './database-clock.ts';
import { type TurnStore } from './turn-store.ts';
import { type Liveness } from './liveness.ts';

/** The database, and what every reader and writer of it shares. */
export interface Store {
  database: Database;
  turns: TurnStore;
  clock: DatabaseClock;
  liveness: Liveness;
  /** Called after the commit of a change that wrote events: wakes the relay of the outbox. */
  announce: () => void;
}
