import { queryOptions } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { me, meIn } from '../../../api/me.ts';
import { type ReportPeriod } from '../../../api/quota.ts';
import { type components } from '../../../api/generated/admin.ts';
import { type Page, take, takePage } from '../../../api/take.ts';
import { type Grouping, readUsage } from '../../../api/usage.ts';
import { inWorkspace } from '../../../live/changes.ts';

type ApiKey = components['schemas']['ApiKey'];

interface Asked {
  workspaceId: string;
  isAll: boolean;
  by: Grouping;
  period: ReportPeriod;
}

/** A report of one workspace, or of all; it moves with the use of the workspace that is shown. */
export function reportQuery({ workspaceId, isAll, by, period }: Asked) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'usage'), 'report', isAll, by, period],
    queryFn: () => readUsage({ workspaceId: isAll ? 'all' : workspaceId, by, period: by === 'hour' ? '24h' : period }),
  });
}

/** What the person did by hand in a workspace. */
export function ownReportQuery(workspaceId: string, period: ReportPeriod) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'usage'), 'own-report', period],
    queryFn: () => take(meIn(workspaceId).GET('/me/v1/usage', { params: { query: { period } } })),
  });
}

/** What was used with each of the own keys in a workspace. */
export function ownKeysReportQuery(workspaceId: string, period: ReportPeriod) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'usage'), 'own-keys-report', period],
    queryFn: async () => {
      const params = { path: { workspace_id: workspaceId }, query: { period } };
      return (await take(me.GET('/me/v1/workspaces/{workspace_id}/keys/usage', { params }))).groups;
    },
  });
}

const PAGE = 200;
/** Quotas of so many of the newest keys are compared with what is used. */
const MAX_KEYS = 1000;

/** The newest keys with their quotas. */
export function quotaKeysQuery(workspaceId: string, isAll: boolean) {
  return queryOptions({
    queryKey: ['usage', 'keys', workspaceId, isAll],
    queryFn: async () => {
      const keys = [];
      for (let cursor: string | undefined = ''; cursor !== undefined && keys.length < MAX_KEYS;) {
        const query = { limit: PAGE, cursor, status: 'active' as const, ...(!isAll && { workspace_id: workspaceId }) };
        const page: Page<ApiKey> = await takePage(admin.GET('/admin/v1/keys', { params: { query } }));
        keys.push(...page.items);
        cursor = page.next;
      }
      return keys;
    },
  });
}

/** Workspaces with their quotas: those that one may read, the newest 200. */
export function quotaWorkspacesQuery() {
  return queryOptions({
    queryKey: ['usage', 'workspaces'],
    queryFn: () => take(admin.GET('/admin/v1/workspaces', { params: { query: { limit: PAGE } } })),
  });
}
