import { LatencyBuckets } from '../domain/latency-buckets.ts';
import { type ReportWindow } from '../domain/period.ts';
import { type GroupLatencies, type UsageGrouping } from '../domain/usage-group.ts';
import { type Database } from './database.ts';

interface Row {
  group: string;
  durations: Buffer;
  firstTokens: Buffer;
  errors: Readonly<Record<string, number>> | null;
}

/** Number of groups whose sketches are added up before the event loop continues with other work. */
const GROUPS_AT_ONCE = 20;

/**
 * Returns the latencies and errors of groups by their ids, of a workspace or, when `workspaceId` is empty, of all. Reads sketches, never
 * records; each latency is in exactly one sketch, of an hour or of a day.
 * @throws GatewayError SERVICE_UNAVAILABLE when the database is unavailable
 */
export async function listGroupLatencies(
  { pool }: Database,
  grouping: UsageGrouping,
  { workspaceId, ids, window }: { workspaceId: string; ids: readonly string[]; window: ReportWindow },
): Promise<Map<string, GroupLatencies>> {
  const isTime = grouping === 'day' || grouping === 'hour';
  const values = [isTime ? 'workspace' : grouping, workspaceId || null, window.since, window.until, isTime ? null : ids];
  const { rows } = await pool.query<Row>(toStatement(grouping, window), values);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.group);
    if (group) group.push(row);
    else groups.set(row.group, [row]);
  }
  const sums = new Map<string, GroupLatencies>();
  for (const [id, sketches] of groups) {
    sums.set(id, sumOf(sketches));
    if (sums.size % GROUPS_AT_ONCE === 0) await new Promise(setImmediate);
  }
  return sums;
}

const IDS = {
  hour: { hourly: `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')`, daily: 'NULL' },
  day: { hourly: `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')`, daily: 'day::text' },
  other: { hourly: 'id', daily: 'id' },
} as const;

function toStatement(grouping: UsageGrouping, { bucket }: ReportWindow): string {
  const ids = IDS[grouping === 'day' || grouping === 'hour' ? grouping : 'other'];
  const select = (id: string, table: string, time: string) =>
    `SELECT ${id} AS "group", durations, first_tokens AS "firstTokens", errors FROM ${table}
     WHERE kind = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND ($5::text[] IS NULL OR id = ANY ($5)) AND ${time}`;
  const hours = select(ids.hourly, 'hourly_sketch', 'hour BETWEEN $3 AND $4');
  const days = select(ids.daily, 'daily_sketch', "day BETWEEN ($3 AT TIME ZONE 'UTC')::date AND ($4 AT TIME ZONE 'UTC')::date");
  // Hours that the shortest period needs are never merged into their day.
  return bucket === 'hour' ? hours : `${hours} UNION ALL ${days}`;
}

const scratch = new LatencyBuckets();

function sumOf(sketches: readonly Row[]): GroupLatencies {
  const percentiles = (of: (row: Row) => Buffer) => {
    scratch.clear();
    for (const sketch of sketches) scratch.addStored(of(sketch));
    return scratch.toPercentiles();
  };
  const errors = new Map<string, number>();
  for (const sketch of sketches) {
    for (const [code, count] of Object.entries(sketch.errors ?? {})) errors.set(code, (errors.get(code) ?? 0) + count);
  }
  return {
    duration: percentiles(({ durations }) => durations),
    firstToken: percentiles(({ firstTokens }) => firstTokens),
    errors: [...errors].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
  };
}
