import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { type InstanceRole, type WorkspaceRole } from './people.ts';

export const WORKSPACE_ROLES: readonly WorkspaceRole[] = ['owner', 'admin', 'member', 'viewer'];
export const INSTANCE_ROLES: readonly InstanceRole[] = ['owner', 'admin', 'auditor'];

/** The roles of a workspace that the person may give: `owner` only for users who may give it. */
export function useGrantableRoles(workspaceId: string): readonly WorkspaceRole[] {
  const may = usePermissionCheck();
  return may('owners.write', workspaceId) ? WORKSPACE_ROLES : WORKSPACE_ROLES.filter((role) => role !== 'owner');
}
