import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Journal } from './journal.ts';
import type { Liveness } from './liveness.ts';

/** What the handlers, the reaper and the consumers work with. */
export interface Store {
  database: Database;
  journal: Journal;
  clock: DatabaseClock;
  liveness: Liveness;
  /** There is something new in the outbox. */
  kick: () => void;
}
