import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { getWorkspaceClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

export type GatewayStatus = components['schemas']['HouseStatus'];

/** Version, topology and how every part stands. */
export function gatewayStatusQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['admin', 'status', workspaceId],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/status', { params: { query: { workspace_id: workspaceId } } })),
    staleTime: 0,
  });
}

/** What works in a workspace now. */
export function workspaceCapabilitiesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'capabilities'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/capabilities')),
  });
}
