import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { meClient, getWorkspaceClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

/** A connection with what everybody sees of it. */
export type Connection = components['schemas']['Connection'];
/** What a workspace did in some time. */
export type Usage = components['schemas']['UsageByGroup']['groups'][number];

/** Connections that are looked at; the most that one request gives. */
const MOST_CONNECTIONS = 200;

/** The status of the gateway, with the connections of a workspace by status. Needs `status.read`. */
export function gatewayStatusQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'status'],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/status', { params: { query: { workspace_id: workspaceId } } })),
  });
}

/** The first connections of a workspace. `isMember`: by the view that members have. */
export function someConnectionsQuery(workspaceId: string, isMember: boolean) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'some', isMember],
    queryFn: (): Promise<Connection[]> => {
      const query = { limit: MOST_CONNECTIONS };
      if (isMember) return unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/connections', { params: { query } }));
      return unwrap(adminClient.GET('/admin/v1/connections', { params: { query: { ...query, workspace_id: workspaceId } } }));
    },
  });
}

/** The usage of the workspace in the last 24 hours; null without a request. Needs `usage.read`. */
export function workspaceDayUsageQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'day'],
    queryFn: async () => {
      const query = { workspace_id: workspaceId, by: 'workspace', period: '24h' } as const;
      return groupsOf(await unwrap(adminClient.GET('/admin/v1/usage', { params: { query } })))[0] ?? null;
    },
  });
}

/** The usage of the workspace in the last 24 hours by hour, oldest first. Needs `usage.read`. */
export function hourlyUsageQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'hours'],
    queryFn: async () =>
      groupsOf(
        await unwrap(adminClient.GET('/admin/v1/usage', { params: { query: { workspace_id: workspaceId, by: 'hour', period: '24h' } } })),
      ),
  });
}

/** The usage of the user on these pages in the last 24 hours. */
export function ownDayUsageQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'own-day'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/usage', { params: { query: { period: '24h' } } })),
  });
}

/** Whether a user created a key: any of the workspace for users who may list all, else one of their own. */
export function hasKeyQuery(workspaceId: string, isAll: boolean) {
  return queryOptions({
    queryKey: ['has-key', workspaceId, isAll],
    queryFn: async () => {
      if (isAll) {
        const query = { workspace_id: workspaceId, limit: 2 };
        // The first key of a new gateway is made by its start.
        return (await unwrap(adminClient.GET('/admin/v1/keys', { params: { query } }))).some(({ name }) => name !== 'bootstrap');
      }
      const params = { path: { workspace_id: workspaceId }, query: { limit: 1 } };
      return (await unwrap(meClient.GET('/me/v1/workspaces/{workspace_id}/keys', { params }))).length > 0;
    },
  });
}

/** Whether the workspace has other members than the user. */
export function hasOtherMembersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['has-others', workspaceId],
    queryFn: async () => {
      const params = { path: { workspace_id: workspaceId }, query: { limit: 3 } };
      const members = await unwrap(adminClient.GET('/admin/v1/workspaces/{workspace_id}/members', { params }));
      // The first user of a new gateway owns the operator's keys, and is no person.
      return members.filter(({ email }) => email !== null).length > 1;
    },
  });
}

/** Text is the answer to who asks for CSV. */
function groupsOf(answer: components['schemas']['UsageByGroup'] | string): Usage[] {
  return typeof answer === 'string' ? [] : answer.groups;
}
