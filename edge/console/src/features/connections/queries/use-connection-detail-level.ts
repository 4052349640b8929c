import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { type ConnectionDetailLevel } from './connections.ts';

/** How much of the connections of a workspace the person is shown. Who is no member has the view of the operator alone. */
export function useConnectionDetailLevel(workspaceId: string): ConnectionDetailLevel {
  const may = usePermissionCheck();
  return may('connections.write', workspaceId) || !may('data.read', workspaceId) ? 'all' : 'states';
}
