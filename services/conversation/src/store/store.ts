import { type AbandonmentLimits } from './abandonment-limits.ts';
import { type DatabaseClock } from './database-clock.ts';
import { type Database } from './database.ts';
import { type TurnStore } from './turn-store.ts';

/** The database, and the objects that all of its readers and writers share. */
export interface Store {
  database: Database;
  turns: TurnStore;
  clock: DatabaseClock;
  abandonmentLimits: AbandonmentLimits;
  /** Wakes the relay of the outbox; called after each commit that inserted events. */
  wakeOutboxRelay: () => void;
}
