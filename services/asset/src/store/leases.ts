import { type ClaimedWork, type Lease, type LeaseBacklog, LeaseLostError } from '@parley/kit/leases/lease';
import { type GatewayError } from '@parley/protos/errors';
import type { PoolClient } from 'pg';
import { type StoredContent, type StoredAsset } from '../domain/asset.ts';
import { type RetryPlan } from '../domain/retry-plan.ts';
import { ASSET_COLUMNS } from './asset-row.ts';
import { changeAssets } from './change-assets.ts';
import { type Database } from './database.ts';
import { type Store } from './store.ts';

/** An asset that a worker has claimed. */
export interface LeasedAsset extends StoredAsset, ClaimedWork {
  connectionId: string;
  reference: string;
  /** Number of attempts that have failed. */
  attempts: number;
  /** Number of abandoned attempts: leases that expired. */
  silences: number;
  /** Time until it fails, in milliseconds. */
  remainingMs: number;
}

const WORK = `status IN ('discovered', 'downloading', 'validating')`;

const CLAIM = `
WITH due AS (
  SELECT id, status AS was, lease_until IS NOT NULL AS taken FROM assets
  WHERE ${WORK} AND next_attempt_at <= now() AND (lease_until IS NULL OR lease_until < now())
  ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
UPDATE assets SET status = 'downloading', generation = generation + 1, lease_owner = $2, silences = silences + (lease_until IS NOT NULL)::int,
  lease_until = now() + $3 * interval '1 ms', updated_at = now()
FROM due WHERE assets.id = due.id
RETURNING ${ASSET_COLUMNS}, due.was, due.taken AS "takenOver", generation, connection_id AS "connectionId", reference, attempts, silences,
  (extract(epoch FROM give_up_at - now()) * 1000)::float8 AS "remainingMs"`;

/** Claims up to `limit` assets that are due or whose lease has expired. Notifies others of assets that start, not of those that resume. */
export async function claimAssets(store: Store, limit: number, owner: string, leaseMs: number): Promise<LeasedAsset[]> {
  let claimed: LeasedAsset[] = [];
  await changeAssets(store, async (client) => {
    const { rows } = await client.query<LeasedAsset & { was: string }>(CLAIM, [limit, owner, leaseMs]);
    claimed = rows;
    return rows.filter(({ was }) => was !== 'downloading');
  });
  return claimed;
}

/** Milliseconds until the next asset is due or a lease expires; null without a waiting or leased asset. */
export async function nextDueMs({ pool }: Database): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'next-due-asset',
    // GREATEST ignores a lease that is null.
    text: `SELECT (extract(epoch FROM min(greatest(next_attempt_at, lease_until)) - now()) * 1000)::float8 AS ms FROM assets WHERE ${WORK}`,
  });
  return rows[0]?.ms ?? null;
}

const BACKLOG = `
SELECT count(*)::int AS pieces, greatest(coalesce(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 AS "oldestSeconds"
FROM (SELECT greatest(next_attempt_at, lease_until) AS due_at FROM assets
      WHERE ${WORK} AND next_attempt_at <= now() AND (lease_until IS NULL OR lease_until < now())
      ORDER BY next_attempt_at LIMIT 100000) AS due`;

/** Returns the assets that are due and not leased. */
export async function countBacklog({ pool }: Database): Promise<LeaseBacklog> {
  const { rows } = await pool.query<LeaseBacklog>({ name: 'asset-backlog', text: BACKLOG });
  return rows[0] ?? { pieces: 0, oldestSeconds: 0 };
}

/** Renews leases for another `leaseMs` milliseconds; returns the ids of those that are still held. */
export async function renewLeases({ database }: Store, leases: readonly Lease[], leaseMs: number): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ id: string }>(
    `UPDATE assets SET lease_until = now() + $3 * interval '1 ms'
     FROM unnest($1::uuid[], $2::int[]) AS held (id, generation)
     WHERE assets.id = held.id AND assets.generation = held.generation AND ${WORK}
     RETURNING assets.id`,
    [leases.map(({ id }) => id), leases.map(({ generation }) => generation), leaseMs],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Marks an asset as validating, when its bytes have arrived. @throws LeaseLostError */
export function markValidating(store: Store, lease: Lease): Promise<void> {
  return moveLeased(store, lease, `status = 'validating'`, []);
}

/** Marks an asset as ready, with its stored bytes. @throws LeaseLostError */
export function markReady(store: Store, lease: Lease, fileName: string, kept: StoredContent): Promise<void> {
  const { blobKey, sizeBytes, sha256, mimeType, width, height } = kept;
  return moveLeased(
    store,
    lease,
    `status = 'ready', file_name = $3, blob_key = $4, size_bytes = $5, sha256 = $6, mime_type = $7, width = $8, height = $9,
     error_condition = NULL, error_message = NULL, lease_owner = NULL, lease_until = NULL, next_attempt_at = NULL`,
    [fileName, blobKey, sizeBytes, sha256, mimeType, width, height],
  );
}

/** Marks an asset as failed; a client may retry it. @throws LeaseLostError */
export function markFailed(store: Store, lease: Lease, { condition, message }: GatewayError): Promise<void> {
  return moveLeased(
    store,
    lease,
    `status = 'failed', error_condition = $3, error_message = $4, lease_owner = NULL, lease_until = NULL, next_attempt_at = NULL`,
    [condition, message],
  );
}

/** Releases an asset, to be claimed again later; its status does not change. @throws LeaseLostError */
export async function releaseForRetry({ database }: Store, lease: Lease, { delayMs, attempts }: RetryPlan): Promise<void> {
  await updateLeased(
    database.pool,
    lease,
    `status = 'downloading', attempts = $3, next_attempt_at = now() + $4 * interval '1 ms', lease_owner = NULL, lease_until = NULL`,
    [attempts, delayMs],
  );
}

async function moveLeased(store: Store, lease: Lease, changes: string, values: readonly unknown[]): Promise<void> {
  await changeAssets(store, async (client) => [await updateLeased(client, lease, changes, values)]);
}

async function updateLeased(
  client: Pick<PoolClient, 'query'>,
  lease: Lease,
  changes: string,
  values: readonly unknown[],
): Promise<StoredAsset> {
  const { rows } = await client.query<StoredAsset>(
    `UPDATE assets SET ${changes}, updated_at = now() WHERE id = $1 AND generation = $2 AND ${WORK} RETURNING ${ASSET_COLUMNS}`,
    [lease.id, lease.generation, ...values],
  );
  const [asset] = rows;
  if (!asset) throw new LeaseLostError('the asset is no longer this worker’s');
  return asset;
}
