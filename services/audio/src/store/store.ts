import type { StoredJob } from '../domain/job.ts';
import type { Database } from './database.ts';

/** What everything that changes jobs works with. */
export interface Store {
  database: Database;
  /** Called after the commit of every move: workers hear of it, here and elsewhere, and the relay looks at the outbox. */
  announce: (moved: readonly StoredJob[]) => void;
}
