import { adminClient, fetchAdmin } from './admin.ts';
import { type components } from './generated/admin.ts';
import { readProblem } from './problem.ts';
import { unwrap } from './unwrap.ts';

type Report = components['schemas']['UsageByGroup'];
/** What was used by one key, model, day and so on. */
export type UsageGroup = Report['groups'][number];
/** What a report sums by. */
export type Grouping = Report['by'];

/** Periods of the usage report, which end now. */
export type ReportPeriod = NonNullable<Report['period']>;
/** A period, or chosen days of UTC (`YYYY-MM-DD`), the last one included. */
export type ReportSpan = { period: ReportPeriod } | { since: string; until: string };

/** Parameters of a usage report; `workspaceId` is the id of a workspace, or `all`. */
export interface UsageReportParams {
  workspaceId: string;
  by: Grouping;
  span: ReportSpan;
}

/** Reads the groups of a report. @throws Problem */
export async function readUsage({ workspaceId, by, span }: UsageReportParams): Promise<UsageGroup[]> {
  const query = { workspace_id: workspaceId, by, ...span, format: 'json' } as const;
  const report = await unwrap(adminClient.GET('/admin/v1/usage', { params: { query } }));
  if (typeof report === 'string') throw new TypeError('a report of usage was asked for as JSON');
  return report.groups;
}

/** Reads a report as a CSV file, with the name that the gateway gives it. @throws Problem */
export async function readUsageCsv({ workspaceId, by, span }: UsageReportParams): Promise<{ blob: Blob; name: string }> {
  const search = new URLSearchParams({ workspace_id: workspaceId, by, ...span, format: 'csv' });
  const response = await fetchAdmin(`/admin/v1/usage?${search.toString()}`);
  if (!response.ok) throw await readProblem(response);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { blob: await response.blob(), name: name ?? 'usage.csv' };
}
