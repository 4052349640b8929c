import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { meClient, getWorkspaceClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { type Grouping, readUsage, type ReportPeriod, type ReportSpan } from '../../../api/usage.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

interface Asked {
  workspaceId: string;
  isAll: boolean;
  by: Grouping;
  span: ReportSpan;
}

/** A report of one workspace, or of all; it moves with the use of the workspace that is shown. */
export function reportQuery({ workspaceId, isAll, by, span }: Asked) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'report', isAll, by, span],
    queryFn: () => readUsage({ workspaceId: isAll ? 'all' : workspaceId, by, span }),
  });
}

/** What the person did by hand in a workspace. */
export function ownReportQuery(workspaceId: string, period: ReportPeriod) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'own-report', period],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/usage', { params: { query: { period } } })),
  });
}

/** What was used with each of the own keys in a workspace. */
export function ownKeysReportQuery(workspaceId: string, period: ReportPeriod) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'own-keys-report', period],
    queryFn: async () => {
      const params = { path: { workspace_id: workspaceId }, query: { period } };
      return (await unwrap(meClient.GET('/me/v1/workspaces/{workspace_id}/keys/usage', { params }))).groups;
    },
  });
}

/** Keys and workspaces whose quotas are looked at; the most that one request gives. */
const MOST = 200;

/** The keys that were used last, with the use of their quotas; it is read again with the use of the workspace that is shown. */
export function keysWithQuotaUseQuery(workspaceId: string, isAll: boolean) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'quota-keys', isAll],
    queryFn: () => {
      const order = { status: 'active', sort: '-last_used_at', limit: MOST, cursor: '' } as const;
      const query = { ...order, include: 'quota_use', ...(!isAll && { workspace_id: workspaceId }) } as const;
      return unwrap(adminClient.GET('/admin/v1/keys', { params: { query } }));
    },
  });
}

/** The workspace, or the oldest of all workspaces, with the use of their quotas. */
export function workspacesWithQuotaUseQuery(workspaceId: string, isAll: boolean) {
  const include = 'quota_use';
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'quota-workspaces', isAll],
    queryFn: async () => {
      if (isAll) return unwrap(adminClient.GET('/admin/v1/workspaces', { params: { query: { include, limit: MOST, cursor: '' } } }));
      return [await unwrap(adminClient.GET('/admin/v1/workspaces/{id}', { params: { path: { id: workspaceId }, query: { include } } }))];
    },
  });
}
