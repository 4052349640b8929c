import { encodeBigintArray, encodeByteaArray, encodeTextArray, encodeUuidArray } from '@parley/kit/db/binary-array';
import { transaction } from '@parley/kit/db/pool';
import type { PoolClient } from 'pg';
import { LatencyBuckets } from '../domain/latency-buckets.ts';
import { type Store } from './store.ts';

/**
 * Number of samples in one transaction: large enough that many share a sketch, small enough to block neither the database nor the event
 * loop.
 */
export const SAMPLE_BATCH_SIZE = 4_000;
/** Number of hourly sketches in one transaction. */
export const HOURLY_SKETCH_BATCH_SIZE = 2_000;

/** Serializes the merges of all replicas: a sketch is read, added to and written back. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('usage-sketches', 0))`;

const TAKE_SAMPLES = `
WITH taken AS (
  DELETE FROM usage_sample WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_sample LIMIT ${SAMPLE_BATCH_SIZE})) RETURNING *
)
SELECT extract(epoch FROM hour)::float8 * 1000 AS at, workspace_id AS "workspaceId", key_id AS key, model, connection_id AS connection,
  duration_bucket AS duration, first_token_bucket AS "firstToken", code FROM taken`;

/** Ordered by the key, so that the hours of a day are in one batch and its sketch is written once. */
const TAKE_HOURS = `
WITH taken AS (
  DELETE FROM hourly_sketch WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM hourly_sketch WHERE hour < $1::timestamptz ORDER BY kind, workspace_id, id, hour LIMIT ${HOURLY_SKETCH_BATCH_SIZE}
  )) RETURNING *
)
SELECT extract(epoch FROM date_trunc('day', hour, 'UTC'))::float8 * 1000 AS at, kind, workspace_id AS "workspaceId", id, durations,
  first_tokens AS "firstTokens", errors FROM taken`;

interface Sample {
  at: number;
  workspaceId: string;
  key: string;
  model: string;
  connection: string;
  duration: number | null;
  firstToken: number | null;
  code: string;
}

/** Identifies a sketch; `at` is the start of its hour or day. */
interface SketchKey {
  at: number;
  kind: string;
  workspaceId: string;
  id: string;
}

/** A sketch as stored. */
interface StoredSketch extends SketchKey {
  durations: Uint8Array;
  firstTokens: Uint8Array;
  errors: Readonly<Record<string, number>> | null;
}

/** Values to be added to a sketch. */
interface Addition extends SketchKey {
  durations: number[];
  firstTokens: number[];
  stored: Omit<StoredSketch, keyof SketchKey>[];
  errors: Map<string, number>;
}

/**
 * Merges a batch of samples into the sketches of their hours in one transaction, without loss or duplicates; returns the number of samples.
 */
export async function mergeSamplesIntoHours({ database }: Store): Promise<number> {
  return transaction(database.pool, async (client) => {
    await client.query(LOCK);
    const { rows } = await client.query<Sample>(TAKE_SAMPLES);
    const additions = new Map<string, Addition>();
    for (const sample of rows) {
      for (const kind of ['workspace', 'key', 'model', 'connection'] as const) {
        const id = kind === 'workspace' ? sample.workspaceId : sample[kind];
        if (kind !== 'connection' || id !== '')
          addSample(entry(additions, { at: sample.at, kind, workspaceId: sample.workspaceId, id }), sample);
      }
    }
    await addTo(client, 'hour', [...additions.values()]);
    return rows.length;
  });
}

/**
 * Merges a batch of sketches of hours before `before` into those of their days in one transaction, without loss or duplicates; returns
 * their number.
 */
export async function mergeHoursIntoDays({ database }: Store, before: Date): Promise<number> {
  return transaction(database.pool, async (client) => {
    await client.query(LOCK);
    const { rows } = await client.query<StoredSketch>(TAKE_HOURS, [before]);
    const additions = new Map<string, Addition>();
    for (const sketch of rows) entry(additions, sketch).stored.push(sketch);
    await addTo(client, 'day', [...additions.values()]);
    return rows.length;
  });
}

function entry(additions: Map<string, Addition>, { at, kind, workspaceId, id }: SketchKey): Addition {
  const name = nameOf({ at, kind, workspaceId, id });
  let addition = additions.get(name);
  if (!addition) {
    addition = { at, kind, workspaceId, id, durations: [], firstTokens: [], stored: [], errors: new Map() };
    additions.set(name, addition);
  }
  return addition;
}

function nameOf({ at, kind, workspaceId, id }: SketchKey): string {
  return `${at} ${kind} ${workspaceId} ${id}`;
}

function addSample(addition: Addition, { duration, firstToken, code }: Sample): void {
  if (duration !== null) addition.durations.push(duration);
  if (firstToken !== null) addition.firstTokens.push(firstToken);
  if (code !== '') addition.errors.set(code, (addition.errors.get(code) ?? 0) + 1);
}

async function addTo(client: PoolClient, unit: 'hour' | 'day', additions: readonly Addition[]): Promise<void> {
  if (additions.length === 0) return;
  const table = unit === 'hour' ? 'hourly_sketch' : 'daily_sketch';
  const time = unit === 'hour' ? `'epoch'::timestamptz + at * interval '1 ms'` : `('epoch'::timestamp + at * interval '1 ms')::date`;
  const keys = [
    encodeBigintArray(additions.map(({ at }) => at)),
    encodeTextArray(additions.map(({ kind }) => kind)),
    encodeUuidArray(additions.map(({ workspaceId }) => workspaceId)),
    encodeTextArray(additions.map(({ id }) => id)),
  ];
  const { rows } = await client.query<StoredSketch>(
    `SELECT at::float8 AS at, kind, workspace_id AS "workspaceId", id, durations, first_tokens AS "firstTokens", errors
     FROM unnest($1::bigint[], $2::text[], $3::uuid[], $4::text[]) AS wanted (at, kind, workspace_id, id)
     JOIN LATERAL (SELECT * FROM ${table} WHERE kind = wanted.kind AND workspace_id = wanted.workspace_id AND id = wanted.id
       AND ${unit} = ${time} OFFSET 0) found USING (kind, workspace_id, id)`,
    keys,
  );
  const existing = new Map(rows.map((row) => [nameOf(row), row]));
  const sums = additions.map((addition) => sumOf(addition, existing.get(nameOf(addition))));
  await client.query(
    `INSERT INTO ${table} (${unit}, kind, workspace_id, id, durations, first_tokens, errors)
     SELECT ${time}, kind, workspace_id, id, durations, first_tokens, errors::jsonb
     FROM unnest($1::bigint[], $2::text[], $3::uuid[], $4::text[], $5::bytea[], $6::bytea[], $7::text[])
       AS sum (at, kind, workspace_id, id, durations, first_tokens, errors)
     ON CONFLICT (kind, workspace_id, id, ${unit}) DO UPDATE
     SET durations = excluded.durations, first_tokens = excluded.first_tokens, errors = excluded.errors`,
    [
      ...keys,
      encodeByteaArray(sums.map(({ durations }) => durations)),
      encodeByteaArray(sums.map(({ firstTokens }) => firstTokens)),
      encodeTextArray(sums.map(({ errors }) => errors)),
    ],
  );
}

const scratch = new LatencyBuckets();

function sumOf({ durations, firstTokens, stored, errors }: Addition, existing: StoredSketch | undefined) {
  const all = existing ? [existing, ...stored] : stored;
  for (const sketch of all)
    for (const [code, count] of Object.entries(sketch.errors ?? {})) errors.set(code, (errors.get(code) ?? 0) + count);
  const total = (buckets: readonly number[], of: (sketch: (typeof all)[number]) => Uint8Array): Uint8Array => {
    scratch.clear();
    for (const bucket of buckets) scratch.add(bucket, 1);
    for (const sketch of all) scratch.addStored(of(sketch));
    return scratch.toStored();
  };
  return {
    durations: total(durations, (sketch) => sketch.durations),
    firstTokens: total(firstTokens, (sketch) => sketch.firstTokens),
    errors: errors.size === 0 ? null : JSON.stringify(Object.fromEntries(errors)),
  };
}
