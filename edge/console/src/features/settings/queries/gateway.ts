import { queryOptions } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { meIn } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { inWorkspace } from '../../../live/changes.ts';

export type GatewayStatus = components['schemas']['HouseStatus'];

/** Version, topology and how every part stands. */
export function statusQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['admin', 'status', workspaceId],
    queryFn: () => unwrap(admin.GET('/admin/v1/status', { params: { query: { workspace_id: workspaceId } } })),
    staleTime: 0,
  });
}

/** What works in a workspace now. */
export function manifestQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'connections'), 'capabilities'],
    queryFn: () => unwrap(meIn(workspaceId).GET('/me/v1/capabilities')),
  });
}
