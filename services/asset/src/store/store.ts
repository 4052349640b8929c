import { type StoredAsset } from '../domain/asset.ts';
import { type Database } from './database.ts';

/** The storage of assets and the notification of their changes. */
export interface Store {
  database: Database;
  /** Called after the commit of every change: publishes a notice, and wakes the outbox relay. */
  notifyChanged: (moved: readonly StoredAsset[]) => void;
}
