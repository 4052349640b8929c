import { type OpenCause } from '../domain/breaker.ts';
import { type Database } from './database.ts';

/** A paused model. `rests`: number of pauses in a row; `ms`: remaining pause by the database's clock, in milliseconds. */
export interface StoredModelPause {
  model: string;
  rests: number;
  ms: number;
}

/** Shared health of a connection. Waits are remaining milliseconds by the database's clock. */
export interface HealthRow {
  proven: boolean;
  expired: boolean;
  expiries: number;
  unauthorizedOnce: boolean;
  openCause: OpenCause;
  openings: number;
  onTrial: boolean;
  rateLimitedMs: number;
  openMs: number;
  /** Milliseconds until its probe; null when no probe is needed. */
  probeMs: number | null;
  /** Features that the upstream refused recently. */
  refused: string[];
  resting: StoredModelPause[];
}

/** Changes to the health of a connection; undefined fields stay unchanged. A change of the breaker sets all of its fields. */
export type HealthChange = Partial<HealthRow>;

/** A connection whose probe is due. */
export interface DueConnection {
  id: string;
  workspaceId: string;
}

/** SQL: the columns of `HealthRow` from a left-joined `connection_health` with the alias `h`. */
export const HEALTH_COLUMNS = `
         coalesce(h.proven, false) AS proven, coalesce(h.expired, false) AS expired, coalesce(h.expiries, 0) AS expiries,
         coalesce(h.unauthorized_once, false) AS "unauthorizedOnce", coalesce(h.open_cause, '') AS "openCause",
         coalesce(h.openings, 0) AS openings, coalesce(h.on_trial, false) AS "onTrial", coalesce(h.refused, '{}') AS refused,
         coalesce(extract(epoch FROM h.rate_limited_until - now()) * 1000, 0)::float8 AS "rateLimitedMs",
         coalesce(extract(epoch FROM h.open_until - now()) * 1000, 0)::float8 AS "openMs",
         (extract(epoch FROM h.probe_at - now()) * 1000)::float8 AS "probeMs",
         CASE WHEN coalesce(h.resting, '[]') = '[]' THEN '[]' ELSE (
           SELECT jsonb_agg(jsonb_build_object('model', r.model, 'rests', r.rests, 'ms', extract(epoch FROM r.until - now()) * 1000))
             FROM jsonb_to_recordset(h.resting) AS r(model text, rests int, until timestamptz)) END AS resting`;

const NO_HEALTH = `INSERT INTO connection_health (connection_id) SELECT id FROM connections WHERE id = $1 ON CONFLICT DO NOTHING`;

const SAVE = `
  UPDATE connection_health AS h SET
    proven = coalesce($2, h.proven), expired = coalesce($3, h.expired), expiries = coalesce($4, h.expiries),
    unauthorized_once = coalesce($5, h.unauthorized_once), open_cause = coalesce($6, h.open_cause), openings = coalesce($7, h.openings),
    on_trial = coalesce($8, h.on_trial), refused = coalesce($9, h.refused),
    rate_limited_until = coalesce(now() + $10::float8 * interval '1 millisecond', h.rate_limited_until),
    open_until = coalesce(now() + $11::float8 * interval '1 millisecond', h.open_until),
    probe_at = CASE WHEN $12 THEN now() + $13::float8 * interval '1 millisecond' ELSE h.probe_at END,
    resting = CASE WHEN $14::jsonb IS NULL THEN h.resting ELSE coalesce((
      SELECT jsonb_agg(jsonb_build_object('model', r.model, 'rests', r.rests, 'until', now() + r.ms * interval '1 millisecond'))
        FROM jsonb_to_recordset($14::jsonb) AS r(model text, rests int, ms float8)), '[]') END,
    updated_at = now()
   WHERE connection_id = $1`;

const CLAIM_PROBE = `
  UPDATE connection_health SET probe_until = now() + $2 * interval '1 millisecond'
   WHERE connection_id = $1 AND (probe_until IS NULL OR probe_until < now())`;

const CLAIM_DUE = `
  UPDATE connection_health AS h
     SET probe_until = now() + $1 * interval '1 millisecond', probe_at = now() + $2 * interval '1 millisecond'
    FROM connections c
   WHERE c.id = h.connection_id AND h.connection_id IN (
     SELECT d.connection_id FROM connection_health d JOIN connections e ON e.id = d.connection_id
      WHERE d.probe_at <= now() AND e.enabled AND (d.probe_until IS NULL OR d.probe_until < now())
        AND (d.rate_limited_until IS NULL OR d.rate_limited_until <= now())
      ORDER BY d.probe_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
  RETURNING c.id, c.workspace_id AS "workspaceId"`;

/** Stores changes of a connection's health; waits start at the database's current time. */
export async function saveHealth(database: Database, id: string, change: HealthChange): Promise<void> {
  const { proven, expired, expiries, unauthorizedOnce, openCause, openings, onTrial, refused } = change;
  const { rateLimitedMs, openMs, probeMs, resting } = change;
  const flags = [proven, expired, expiries, unauthorizedOnce, openCause, openings, onTrial, refused];
  const waits = [rateLimitedMs, openMs, probeMs !== undefined, probeMs ?? null, resting && JSON.stringify(resting)];
  const query = { name: 'save_health', text: SAVE, values: [id, ...flags, ...waits] };
  const { rowCount } = await database.pool.query(query);
  if (rowCount === 1) return;
  const { rowCount: added } = await database.pool.query(NO_HEALTH, [id]);
  if (added === 1) await database.pool.query(query);
}

/** Claims the probe of a connection for `forMs`; false when another claim is in effect. */
export async function claimProbe(database: Database, id: string, forMs: number): Promise<boolean> {
  const { rowCount } = await database.pool.query({ name: 'claim_probe', text: CLAIM_PROBE, values: [id, forMs] });
  return rowCount === 1;
}

/** Releases the probe claim of a connection. */
export async function releaseProbe(database: Database, id: string): Promise<void> {
  await database.pool.query({
    name: 'release_probe',
    text: 'UPDATE connection_health SET probe_until = NULL WHERE connection_id = $1',
    values: [id],
  });
}

/**
 * Claims up to `limit` connections whose probe is due, for `forMs`. After an inconclusive probe, a connection is due again after `againMs`.
 * Skips disabled and rate-limited connections.
 */
export async function claimDueConnections(database: Database, forMs: number, againMs: number, limit: number): Promise<DueConnection[]> {
  const { rows } = await database.pool.query<DueConnection>({ name: 'claim_due', text: CLAIM_DUE, values: [forMs, againMs, limit] });
  return rows;
}
