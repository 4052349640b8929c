import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { getWorkspaceClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

export type GatewayStatus = components['schemas']['HouseStatus'];

/** The status of the gateway: version, topology and readiness. */
export function gatewayStatusQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['admin', 'status', workspaceId],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/status', { params: { query: { workspace_id: workspaceId } } })),
    staleTime: 0,
  });
}

/** The capabilities of a workspace. */
export function workspaceCapabilitiesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'capabilities'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/capabilities')),
  });
}
