import { type Database } from './database.ts';
import { type DatabaseClock } from './database-clock.ts';
import { type TurnStore } from './turn-store.ts';
import { type Liveness } from './liveness.ts';

/** Dependencies of handlers, reaper and consumers. */
export interface Store {
  database: Database;
  turns: TurnStore;
  clock: DatabaseClock;
  liveness: Liveness;
  /** Wakes the relay after an insert into the outbox. */
  notifyRelay: () => void;
}
