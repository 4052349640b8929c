import { transaction } from '@parley/kit/db/pool';
import { type QuotaKey } from '../domain/quota-subject.ts';
import { type QuotaDemand, calculateGrant } from '../domain/quota.ts';
import { type Store } from './store.ts';

/** Result of a lease request. */
export interface LeaseResult {
  granted: number;
  /** Milliseconds until the window ends, by the database's clock; 0 when it has ended. */
  windowEndsInMs: number;
  /** Units of the limit that are left after this block. */
  left: number;
}

/**
 * Finds or creates a lease and locks it and its counter, always in this order. A window starts at a multiple of its length since 1970; a
 * lease belongs to the window in which it was created.
 */
const OPEN = `
WITH clock AS (
  SELECT to_timestamp(floor(extract(epoch FROM clock_timestamp()) / $5::bigint) * $5::bigint) AS started
), lease AS (
  INSERT INTO quota_lease AS held (id, kind, subject_id, metric, window_seconds, started, ends_at)
  SELECT $1, $2, $3, $4, $5, started, started + $5::bigint * interval '1 s' FROM clock
  ON CONFLICT (id) DO UPDATE SET move = held.move
  RETURNING *
), counter AS (
  INSERT INTO quota_counter AS sum (kind, subject_id, metric, window_seconds, started, ends_at, used)
  SELECT kind, subject_id, metric, window_seconds, started, ends_at, 0 FROM lease
  ON CONFLICT (subject_id, kind, metric, window_seconds, started) DO UPDATE SET used = sum.used
  RETURNING used
)
SELECT move, moved::float8 AS moved, used::float8 AS used, extract(epoch FROM ends_at - clock_timestamp())::float8 * 1000 AS "leftMs"
FROM lease, counter`;

/** Writes a transition of a lease if its number is new: a positive amount grants, a negative one returns, at most what the lease holds. */
const MOVE = `
WITH lease AS (
  UPDATE quota_lease SET move = $2, moved = greatest($3::bigint, -granted), granted = granted + greatest($3::bigint, -granted)
  WHERE id = $1 AND move < $2
  RETURNING *
)
UPDATE quota_counter SET used = greatest(0, used + lease.moved) FROM lease
WHERE quota_counter.subject_id = lease.subject_id AND quota_counter.kind = lease.kind AND quota_counter.metric = lease.metric
  AND quota_counter.window_seconds = lease.window_seconds AND quota_counter.started = lease.started`;

/**
 * Grants a block of the window's counter to a lease, in one transaction. A repeated move returns its first grant; an older one returns 0.
 */
export async function leaseQuotaBlock(
  { database }: Store,
  leaseId: string,
  move: number,
  key: QuotaKey,
  demand: QuotaDemand,
): Promise<LeaseResult> {
  return transaction(database.pool, async (client) => {
    const { rows } = await client.query<{ move: number; moved: number; used: number; leftMs: number }>({
      name: 'quota-open',
      text: OPEN,
      values: [leaseId, key.kind, key.subjectId, key.metric, key.windowSeconds],
    });
    const [lease] = rows;
    if (!lease || lease.leftMs <= 0) return { granted: 0, windowEndsInMs: 0, left: 0 };
    const windowEndsInMs = Math.ceil(lease.leftMs);
    const left = Math.max(0, demand.limit - lease.used);
    if (move <= lease.move) return { granted: move === lease.move ? Math.max(0, lease.moved) : 0, windowEndsInMs, left };
    const granted = calculateGrant(demand, lease.used);
    await client.query({ name: 'quota-move', text: MOVE, values: [leaseId, move, granted] });
    return { granted, windowEndsInMs, left: left - granted };
  });
}

const USE = `
WITH clock AS (
  SELECT clock_timestamp() AS now
), asked AS (
  SELECT kind, subject_id, metric, window_seconds, n, now,
    to_timestamp(floor(extract(epoch FROM now) / window_seconds) * window_seconds) AS started
  FROM clock, unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[]) WITH ORDINALITY AS quota (kind, subject_id, metric, window_seconds, n)
)
SELECT coalesce(used, 0)::float8 AS used, extract(epoch FROM started + window_seconds * interval '1 s' - now)::float8 * 1000 AS "leftMs"
FROM asked LEFT JOIN quota_counter USING (kind, subject_id, metric, window_seconds, started) ORDER BY n`;

/** Returns how much of each quota is leased in its current window and when the window ends, in the order of `keys`. */
export async function readQuotaUse({ database }: Store, keys: readonly QuotaKey[]): Promise<{ used: number; windowEndsInMs: number }[]> {
  const columns = [
    keys.map(({ kind }) => kind),
    keys.map(({ subjectId }) => subjectId),
    keys.map(({ metric }) => metric),
    keys.map(({ windowSeconds }) => windowSeconds),
  ];
  const { rows } = await database.pool.query<{ used: number; leftMs: number }>({ name: 'quota-use', text: USE, values: columns });
  return rows.map(({ used, leftMs }) => ({ used, windowEndsInMs: Math.ceil(leftMs) }));
}

/**
 * Returns `unused` units of a lease to its counter; charges the lease when the number is negative. An unknown lease or a repeated move
 * changes nothing.
 */
export async function settleLease({ database }: Store, leaseId: string, move: number, unused: number): Promise<void> {
  await database.pool.query({ name: 'quota-move', text: MOVE, values: [leaseId, move, -unused] });
}
