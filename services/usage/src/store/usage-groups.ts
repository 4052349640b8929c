import { type Counters } from '../domain/counters.ts';
import { type ReportWindow } from '../domain/period.ts';
import { type UsageGroup, type UsageGrouping } from '../domain/usage-group.ts';
import { type Database } from './database.ts';

/** Maximum number of groups of a report; those with the fewest requests are omitted. */
const MAX_GROUPS = 1_000;

type Row = { id: string; workspaceId: string } & Record<keyof Counters, string>;

/**
 * Returns the sums per group of a workspace, or of all when `workspaceId` is empty, with the most requests first; by key, only of `keyIds`
 * unless it is empty. Reads rollups, never records.
 * @throws GatewayError SERVICE_UNAVAILABLE when the database is unavailable
 */
export async function listUsageGroups(
  { pool }: Database,
  grouping: UsageGrouping,
  { workspaceId, keyIds }: { workspaceId: string; keyIds: readonly string[] },
  window: ReportWindow,
): Promise<UsageGroup[]> {
  const values = [workspaceId || null, window.since, window.until, ...(keyIds.length > 0 ? [keyIds] : [])];
  const { rows } = await pool.query<Row>(toStatement(grouping, window, keyIds.length > 0), values);
  return rows.map(({ id, workspaceId: of, ...sums }) => ({
    id,
    workspaceId: of,
    successful: Number(sums.successful),
    errors: Number(sums.errors),
    rateLimited: Number(sums.rateLimited),
    tokensIn: Number(sums.tokensIn),
    tokensOut: Number(sums.tokensOut),
    durationMs: Number(sums.durationMs),
    audioMs: Number(sums.audioMs),
  }));
}

const COLUMNS = { workspace: 'workspace_id', key: 'key_id', model: 'model', connection: 'connection_id' } as const;

function toStatement(grouping: UsageGrouping, { bucket }: ReportWindow, isOfKeys: boolean): string {
  // Hours of connections are kept for every period; those of keys and models are not.
  const isHourly = grouping === 'connection' || bucket === 'hour';
  const table = grouping === 'connection' ? 'connection_rollup' : isHourly ? 'hourly_rollup' : 'daily_rollup';
  const time = isHourly ? 'hour BETWEEN $2 AND $3' : "day BETWEEN ($2 AT TIME ZONE 'UTC')::date AND ($3 AT TIME ZONE 'UTC')::date";
  const hasWorkspace = grouping === 'key' || grouping === 'connection';
  // A key and a connection belong to one workspace; the nil key of work without a key does not.
  const workspace = hasWorkspace
    ? `CASE WHEN min(workspace_id::text) = max(workspace_id::text) THEN min(workspace_id::text) ELSE '' END`
    : `''`;
  return `
SELECT ${toId(grouping, isHourly)} AS id, ${workspace} AS "workspaceId",
  sum(successful) AS successful, sum(errors) AS errors, sum(rate_limited) AS "rateLimited",
  sum(tokens_in) AS "tokensIn", sum(tokens_out) AS "tokensOut", sum(duration_ms) AS "durationMs", sum(audio_ms) AS "audioMs"
FROM ${table} WHERE ($1::uuid IS NULL OR workspace_id = $1) AND ${time}${isOfKeys ? ' AND key_id = ANY ($4::uuid[])' : ''}
GROUP BY 1 ORDER BY sum(successful + errors + rate_limited) DESC, 1 LIMIT ${MAX_GROUPS}`;
}

function toId(grouping: UsageGrouping, isHourly: boolean): string {
  switch (grouping) {
    case 'hour':
      return `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')`;
    case 'day':
      return isHourly ? `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')` : 'day::text';
    default:
      return `${COLUMNS[grouping]}::text`;
  }
}
