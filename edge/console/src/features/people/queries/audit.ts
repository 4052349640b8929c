import { useInfiniteQuery } from '@tanstack/react-query';
import { adminClient, fetchAdmin } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { readProblem } from '../../../api/problem.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { saveBlob } from '../../../ui/save-file.ts';

export type AuditEntry = components['schemas']['AuditEntry'];

/** What of the log is shown. */
export interface AuditFilter {
  /** Without it, of the whole gateway. */
  workspaceId?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  request?: string | undefined;
  /** Days of the reader's calendar, both included. */
  since?: string | undefined;
  until?: string | undefined;
}

const PAGE = 100;

/** The log, the newest entry first, page by page. */
export function useAudit(filter: AuditFilter) {
  const { workspaceId, action, actor, target, request, since, until } = filter;
  const query = {
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor_id: actor }),
    ...(target !== undefined && { target_id: target }),
    ...(request !== undefined && { request_id: request }),
    ...(since !== undefined && { since: startOfDay(since).toISOString() }),
    ...(until !== undefined && { until: startOfDay(until, 1).toISOString() }),
  };
  return useInfiniteQuery({
    queryKey: ['people', 'audit', query],
    queryFn: ({ pageParam }) =>
      unwrap(
        adminClient.GET('/admin/v1/audit', {
          params: { query: { ...query, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });
}

/** The start of a day of the reader's calendar, or of one some days later. */
export function startOfDay(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

/** Downloads the audit log as NDJSON, the oldest entry first. @throws Problem */
export async function downloadAuditLog(workspaceId: string | undefined): Promise<void> {
  const search = workspaceId === undefined ? '' : `?${new URLSearchParams({ workspace_id: workspaceId }).toString()}`;
  const response = await fetchAdmin(`/admin/v1/audit/export${search}`);
  if (!response.ok) throw await readProblem(response);
  saveBlob('parley-audit.ndjson', await response.blob());
}
