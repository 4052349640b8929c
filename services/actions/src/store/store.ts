import type { StoredRun } from '../domain/run.ts';
import type { Database } from './database.ts';

/** What everything that changes runs works with. */
export interface Store {
  database: Database;
  /** Called after the commit of every event of a run: workers and watchers hear of it, here and elsewhere, and the relay looks at the outbox. */
  announce: (run: StoredRun) => void;
}
