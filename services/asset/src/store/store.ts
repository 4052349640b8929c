import type { StoredAsset } from '../domain/asset.ts';
import type { Database } from './database.ts';

/** What everything that changes assets works with. */
export interface Store {
  database: Database;
  /** Called after the commit of every move: whoever listens now hears of it, and the relay looks at the outbox. */
  announce: (moved: readonly StoredAsset[]) => void;
}
