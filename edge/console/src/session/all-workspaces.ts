import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../api/admin.ts';
import { unwrap } from '../api/unwrap.ts';

/** The key with which all queries of all workspaces of the gateway begin. */
export const ALL_WORKSPACES_QUERY_KEY = ['admin', 'workspaces'] as const;

/** A workspace of the gateway, also one that the person is no member of, with how much of its quotas is used. */
export function workspaceQuery(id: string) {
  return queryOptions({
    queryKey: [...ALL_WORKSPACES_QUERY_KEY, 'one', id],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/workspaces/{id}', { params: { path: { id }, query: { include: 'quota_use' } } })),
    staleTime: 60_000,
  });
}
