import { transaction } from '@parley/kit/db/pool';
import { counter } from '@parley/kit/telemetry/meter';
import { type PoolClient } from 'pg';
import { toOutboxEvent, type OutboxEvent } from '../domain/asset-event.ts';
import { type StoredAsset } from '../domain/asset.ts';
import { type Store } from './store.ts';

const ASSETS = counter('parley_assets_total');

/**
 * Changes assets in one transaction with their events, notifies others after the commit, and counts assets that are ready or failed. `work`
 * returns the changed assets in their new state.
 */
export async function changeAssets<T extends StoredAsset>(store: Store, work: (client: PoolClient) => Promise<T[]>): Promise<T[]> {
  const moved = await changeAssetsUncounted(store, work);
  for (const { assetType: type, status } of moved) if (status === 'ready' || status === 'failed') ASSETS.add({ type, status });
  return moved;
}

/** As `changeAssets`, but without counting: for the expiry of assets. */
export async function changeAssetsUncounted<T extends StoredAsset>(
  { database, notifyChanged }: Store,
  work: (client: PoolClient) => Promise<T[]>,
): Promise<T[]> {
  const moved = await transaction(database.pool, async (client) => {
    const assets = await work(client);
    if (assets.length > 0) await insertOutboxEvents(client, assets.map(toOutboxEvent));
    return assets;
  });
  if (moved.length > 0) notifyChanged(moved);
  return moved;
}

/** Inserts events into the outbox, one row each. */
async function insertOutboxEvents(client: PoolClient, events: readonly OutboxEvent[]): Promise<void> {
  await client.query('INSERT INTO outbox (id, subject, payload) SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[])', [
    events.map(({ id }) => id),
    events.map(({ subject }) => subject),
    events.map(({ payload }) => Buffer.from(payload)),
  ]);
}
