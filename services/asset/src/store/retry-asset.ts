import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { type StoredAsset } from '../domain/asset.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssets } from './change-assets.ts';
import { type Store } from './store.ts';

const RETRY = `
UPDATE assets SET status = 'discovered', retry_count = retry_count + 1, attempts = 0, silences = 0, error_condition = NULL, error_message = NULL,
  next_attempt_at = now(), give_up_at = now() + $2 * interval '1 ms', updated_at = now(), request_id = $3, traceparent = $4
WHERE id = $1 AND status = 'failed' AND reference IS NOT NULL
RETURNING ${ASSET_COLUMNS}`;

/** Queues a failed asset to be fetched again; undefined when it has not failed or cannot be fetched. */
export async function retryAsset(store: Store, id: string, ingestTimeoutMs: number, origin: WorkOrigin): Promise<StoredAsset | undefined> {
  const values = [id, ingestTimeoutMs, origin.requestId, origin.traceparent];
  const [asset] = await changeAssets(store, async (client) => (await client.query<StoredAsset>(RETRY, values)).rows);
  return asset;
}
