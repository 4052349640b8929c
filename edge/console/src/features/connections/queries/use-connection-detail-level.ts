import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { type ConnectionDetailLevel } from './connections.ts';

/** Returns how much of the connections of a workspace the user can see: `all` for operators who are not members of it. */
export function useConnectionDetailLevel(workspaceId: string): ConnectionDetailLevel {
  const may = usePermissionCheck();
  return may('connections.write', workspaceId) || !may('data.read', workspaceId) ? 'all' : 'states';
}
