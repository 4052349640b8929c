import { type StoredAsset } from '../domain/asset.ts';
import { type Database } from './database.ts';

/** What everything that changes assets works with. */
export interface Store {
  database: Database;
  /** Called after the commit of every change: publishes a notice, and wakes the outbox relay. */
  announce: (moved: readonly StoredAsset[]) => void;
}
