import { transaction } from '@parley/kit/db/pool';
import type { PoolClient } from 'pg';
import { assetChangedEvent } from '../domain/asset-event.ts';
import { type StoredAsset } from '../domain/asset.ts';
import { insertOutboxEvents } from './outbox.ts';
import { type Store } from './store.ts';

/**
 * Changes assets in one transaction with their events, and announces them afterwards. `work` returns the changed assets, as
 * they are then.
 */
export async function changeAssets<T extends StoredAsset>(
  { database, announce }: Store,
  work: (client: PoolClient) => Promise<T[]>,
): Promise<T[]> {
  const moved = await transaction(database.pool, async (client) => {
    const assets = await work(client);
    if (assets.length > 0) await insertOutboxEvents(client, assets.map(assetChangedEvent));
    return assets;
  });
  if (moved.length > 0) announce(moved);
  return moved;
}
