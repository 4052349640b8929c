import type pg from 'pg';
import { type UsageRecord } from '../domain/usage-record.ts';

const COUNTERS = 'successful, errors, rate_limited, tokens_in, tokens_out, duration_ms';

/**
 * Quotas of audio seconds are charged for a speech job by what its text was expected to take; what that was off by follows here, in the windows
 * of now. The counters are locked in one order, since replicas may charge the same ones at once.
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
 * Records first, then the rollups of exactly the records that were new, in one statement: either all of it happened or nothing.
 * Sums before it upserts, since one statement may touch a row once only. Every part goes in the order of its key, and all records
 * come before any rollup, so that replicas with the same events wait for each other and never in a circle.
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

/** Keeps records and adds those that were new to the rollups; gives how many were new. Records that are already kept change nothing. */
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
