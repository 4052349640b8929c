import { queryOptions } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { meIn } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { inWorkspace } from '../../../live/changes.ts';

/** Models that the connected accounts have, `auto` first. */
export function modelsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'connections'), 'models'],
    queryFn: async () => (await unwrap(meIn(workspaceId).GET('/me/v1/models'))).data,
  });
}

/** What the workspace can do. */
export function capabilitiesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'connections'), 'capabilities'],
    queryFn: () => unwrap(meIn(workspaceId).GET('/me/v1/capabilities')),
  });
}

/** The route profiles of the workspace. */
export function profilesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['admin', 'route-profiles', workspaceId],
    queryFn: () => unwrap(admin.GET('/admin/v1/route-profiles', { params: { query: { workspace_id: workspaceId } } })),
  });
}
