import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { TurnStore } from './turn-store.ts';
import type { Liveness } from './liveness.ts';

/** What the handlers, the reaper and the consumers work with. */
export interface Store {
  database: Database;
  turns: TurnStore;
  clock: DatabaseClock;
  liveness: Liveness;
  /** There is something new in the outbox. */
  notifyRelay: () => void;
}
