import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { getWorkspaceClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

/** Models that the connected accounts have, `auto` first. */
export function modelsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'models'],
    queryFn: async () => (await unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/models'))).data,
  });
}

/** What the workspace can do. */
export function capabilitiesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'capabilities'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/capabilities')),
  });
}

/** The route profiles of the workspace. */
export function routeProfilesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['admin', 'route-profiles', workspaceId],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/route-profiles', { params: { query: { workspace_id: workspaceId } } })),
  });
}
