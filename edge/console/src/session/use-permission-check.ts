import { useSuspenseQuery } from '@tanstack/react-query';
import { permissionsQuery, sessionQuery } from './queries.ts';

/** Whether the signed-in person has a permission; the gateway decides again with each request. */
export type PermissionCheck = (permission: string, workspaceId?: string) => boolean;

/** Returns the check of the user's permissions, by the gateway's own table of roles. */
export function usePermissionCheck(): PermissionCheck {
  const { data: permissions } = useSuspenseQuery(permissionsQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { instance_role: instanceRole, memberships } = session.rights;
  return (permission, workspaceId) => {
    const grant = permissions[permission];
    if (!grant) return false;
    if (instanceRole && grant.instance.includes(instanceRole)) return true;
    return memberships.some(({ workspace_id, role }) => workspace_id === workspaceId && grant.workspace.includes(role));
  };
}
