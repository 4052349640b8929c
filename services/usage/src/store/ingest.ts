import type pg from 'pg';
import { type UsageRecord } from '../domain/usage-record.ts';

const COUNTERS = 'successful, errors, rate_limited, tokens_in, tokens_out, duration_ms';

/**
 * The audio quota of a speech job is charged with the expected duration of its text; this corrects it by the difference, in the current
 * windows. Locks counters in one order, because replicas may charge the same ones concurrently.
 */
const CHARGE_AUDIO = `
  UPDATE quota_counter SET used = greatest(0, quota_counter.used + open.owed)
  FROM (
    SELECT held.subject_id, held.kind, held.window_seconds, held.started, owed
    FROM (
      SELECT kind, subject_id, sum(audio_owed_ms) AS owed
      FROM fresh JOIN input USING (event_id), LATERAL (VALUES ('workspace', fresh.workspace_id), ('key', fresh.key_id)) subject (kind, subject_id)
      WHERE audio_owed_ms <> 0 GROUP BY kind, subject_id
    ) due
    JOIN quota_counter held USING (kind, subject_id)
    WHERE held.metric = 'audio_ms' AND held.started <= now() AND held.ends_at > now()
    ORDER BY held.subject_id, held.kind, held.window_seconds FOR UPDATE OF held
  ) open
  WHERE quota_counter.metric = 'audio_ms' AND quota_counter.subject_id = open.subject_id AND quota_counter.kind = open.kind
    AND quota_counter.window_seconds = open.window_seconds AND quota_counter.started = open.started`;

/**
 * Inserts records, then adds the new ones to the rollups, in one atomic statement. Sums before it upserts, because a statement may write a
 * row only once. Writes in key order, and all records before the rollups, so that replicas with the same events cannot deadlock.
 */
const INGEST = `
WITH input AS (
  SELECT DISTINCT ON (event_id) *
  FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::text[],
              $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[])
    AS event (event_id, occurred_at, workspace_id, key_id, model, ${COUNTERS}, audio_owed_ms)
  ORDER BY event_id
), fresh AS (
  INSERT INTO usage_record (event_id, occurred_at, workspace_id, key_id, model, ${COUNTERS})
  SELECT event_id, occurred_at, workspace_id, key_id, model, ${COUNTERS} FROM input
  ON CONFLICT (event_id) DO NOTHING
  RETURNING *
), hourly AS (${upsert('hourly_rollup', 'hour', "date_trunc('hour', occurred_at, 'UTC')")}
), daily AS (${upsert('daily_rollup', 'day', "(occurred_at AT TIME ZONE 'UTC')::date")}
), charged AS (${CHARGE_AUDIO}
)
SELECT count(*)::int AS fresh FROM fresh`;

function upsert(table: string, bucket: string, of: string): string {
  const names = COUNTERS.split(', ');
  return `
  INSERT INTO ${table} (workspace_id, key_id, ${bucket}, model, ${COUNTERS})
  SELECT workspace_id, key_id, ${of}, model, ${names.map((name) => `sum(${name})`).join(', ')}
  FROM fresh GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (workspace_id, key_id, ${bucket}, model) DO UPDATE
  SET ${names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
}

/** Inserts records and adds the new ones to the rollups; returns how many were new. Existing records change nothing. */
export async function ingest(pool: pg.Pool, records: readonly UsageRecord[]): Promise<number> {
  if (records.length === 0) return 0;
  const column = <K extends keyof UsageRecord>(key: K) => records.map((record) => record[key]);
  const { rows } = await pool.query<{ fresh: number }>({
    name: 'usage-ingest',
    text: INGEST,
    values: [
      column('eventId'),
      records.map(({ occurredAt }) => occurredAt.toISOString()),
      column('workspaceId'),
      column('keyId'),
      column('model'),
      column('successful'),
      column('errors'),
      column('rateLimited'),
      column('tokensIn'),
      column('tokensOut'),
      column('durationMs'),
      records.map(({ audioOwedMs = 0 }) => audioOwedMs),
    ],
  });
  return rows[0]?.fresh ?? 0;
}
