import { encodeBigintArray, encodeIntArray, encodeTextArray, encodeUuidArray } from '@parley/kit/db/binary-array';
import { type UsageRecord } from '../domain/usage-record.ts';
import { type Store } from './store.ts';

const COUNTERS = 'successful, errors, rate_limited, tokens_in, tokens_out, duration_ms, audio_ms';

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
  SELECT DISTINCT ON (event_id) event.*, 'epoch'::timestamptz + occurred_ms * interval '1 ms' AS occurred_at
  FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::uuid[], $5::text[],
              $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[],
              $15::int[], $16::int[], $17::text[])
    AS event (event_id, occurred_ms, workspace_id, key_id, model, ${COUNTERS}, audio_owed_ms, connection_id, duration_bucket, first_token_bucket, code)
  ORDER BY event_id
), fresh AS (
  INSERT INTO usage_record (event_id, occurred_at, workspace_id, key_id, model, ${COUNTERS})
  SELECT event_id, occurred_at, workspace_id, key_id, model, ${COUNTERS} FROM input
  ON CONFLICT DO NOTHING
  RETURNING *
), hourly AS (${upsert('hourly_rollup', 'hour', "date_trunc('hour', occurred_at, 'UTC')")}
), daily AS (${upsert('daily_rollup', 'day', "(occurred_at AT TIME ZONE 'UTC')::date")}
), connected AS (${upsertConnections()}
), charged AS (${CHARGE_AUDIO}
), sampled AS (
  INSERT INTO usage_sample (hour, workspace_id, key_id, model, connection_id, duration_bucket, first_token_bucket, code)
  SELECT date_trunc('hour', fresh.occurred_at, 'UTC'), fresh.workspace_id, fresh.key_id, fresh.model, connection_id, duration_bucket,
    first_token_bucket, code
  FROM fresh JOIN input USING (event_id) WHERE duration_bucket IS NOT NULL OR code <> ''
)
SELECT count(*)::int AS fresh, coalesce(sum(tokens_in), 0)::float8 AS "tokensIn", coalesce(sum(tokens_out), 0)::float8 AS "tokensOut" FROM fresh`;

/** The records of a batch that were new: their number and tokens. */
export interface IngestResult {
  fresh: number;
  tokensIn: number;
  tokensOut: number;
}

function upsert(table: string, bucket: string, of: string): string {
  const names = COUNTERS.split(', ');
  return `
  INSERT INTO ${table} (workspace_id, key_id, ${bucket}, model, ${COUNTERS})
  SELECT workspace_id, key_id, ${of}, model, ${names.map((name) => `sum(${name})`).join(', ')}
  FROM fresh GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (workspace_id, key_id, ${bucket}, model) DO UPDATE
  SET ${names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
}

/** Adds new records to the sums of their connections; work without a connection is not counted there. */
function upsertConnections(): string {
  const names = COUNTERS.split(', ');
  return `
  INSERT INTO connection_rollup (workspace_id, connection_id, hour, ${COUNTERS})
  SELECT fresh.workspace_id, input.connection_id, date_trunc('hour', fresh.occurred_at, 'UTC'), ${names.map((name) => `sum(fresh.${name})`).join(', ')}
  FROM fresh JOIN input USING (event_id) WHERE input.connection_id <> '' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, connection_id, hour) DO UPDATE
  SET ${names.map((name) => `${name} = connection_rollup.${name} + excluded.${name}`).join(', ')}`;
}

/** Inserts records, adds the new ones to the rollups, and leaves a sample of each for the sketches; returns what was new. Existing records change nothing. */
export async function ingestRecords({ database }: Store, records: readonly UsageRecord[]): Promise<IngestResult> {
  const none = { fresh: 0, tokensIn: 0, tokensOut: 0 };
  if (records.length === 0) return none;
  const { rows } = await database.pool.query<IngestResult>({ name: 'usage-ingest', text: INGEST, values: toColumns(records) });
  return rows[0] ?? none;
}

function toColumns(records: readonly UsageRecord[]): Buffer[] {
  return [
    encodeUuidArray(records.map(({ eventId }) => eventId)),
    encodeBigintArray(records.map(({ occurredAt }) => occurredAt.getTime())),
    encodeUuidArray(records.map(({ workspaceId }) => workspaceId)),
    encodeUuidArray(records.map(({ keyId }) => keyId)),
    encodeTextArray(records.map(({ model }) => model)),
    encodeBigintArray(records.map(({ successful }) => successful)),
    encodeBigintArray(records.map(({ errors }) => errors)),
    encodeBigintArray(records.map(({ rateLimited }) => rateLimited)),
    encodeBigintArray(records.map(({ tokensIn }) => tokensIn)),
    encodeBigintArray(records.map(({ tokensOut }) => tokensOut)),
    encodeBigintArray(records.map(({ durationMs }) => durationMs)),
    encodeBigintArray(records.map(({ audioMs }) => audioMs)),
    encodeBigintArray(records.map(({ audioOwedMs = 0 }) => audioOwedMs)),
    encodeTextArray(records.map(({ connectionId }) => connectionId)),
    encodeIntArray(records.map(({ durationBucket }) => durationBucket)),
    encodeIntArray(records.map(({ firstTokenBucket }) => firstTokenBucket)),
    encodeTextArray(records.map(({ code }) => code)),
  ];
}
