import { admin, fetchAdmin } from './admin.ts';
import { type components } from './generated/admin.ts';
import { toProblem } from './problem.ts';
import { type ReportPeriod } from './quota.ts';
import { take } from './take.ts';

type Report = components['schemas']['UsageByGroup'];
/** What was used by one key, model, day and so on. */
export type UsageGroup = Report['groups'][number];
/** What a report sums by. */
export type Grouping = Report['by'];

/** Which report: of one workspace, or of `all`. */
export interface UsageOf {
  workspaceId: string;
  by: Grouping;
  period: ReportPeriod;
}

/** The groups of a report. @throws Problem */
export async function readUsage({ workspaceId, by, period }: UsageOf): Promise<UsageGroup[]> {
  const query = { workspace_id: workspaceId, by, period, format: 'json' } as const;
  const report = await take(admin.GET('/admin/v1/usage', { params: { query } }));
  if (typeof report === 'string') throw new TypeError('a report of usage was asked for as JSON');
  return report.groups;
}

/** The same as a file of CSV, with the name that the gateway gives it. @throws Problem */
export async function readUsageCsv({ workspaceId, by, period }: UsageOf): Promise<{ blob: Blob; name: string }> {
  const search = new URLSearchParams({ workspace_id: workspaceId, by, period, format: 'csv' });
  const response = await fetchAdmin(`/admin/v1/usage?${search.toString()}`);
  if (!response.ok) throw await toProblem(response);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { blob: await response.blob(), name: name ?? 'usage.csv' };
}
