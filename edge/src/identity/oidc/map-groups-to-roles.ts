import { type RoleMapping } from '../../config/oidc-fields.ts';
import { INSTANCE_ROLES, WORKSPACE_ROLES, type WorkspaceRole } from '../../config/roles.ts';
import { type GrantedRoles } from '../../store/oidc-roles.ts';

/**
 * Returns the roles that a user with these groups gets; of several, the highest. The mappings decide only about the workspaces that they
 * name, and about the role for the gateway only when one of them names it.
 */
export function mapGroupsToRoles(mappings: readonly RoleMapping[], groups: readonly string[]): GrantedRoles {
  const mine = mappings.filter(({ group }) => groups.includes(group));
  const roles = new Map<string, WorkspaceRole>();
  for (const role of WORKSPACE_ROLES.toReversed()) {
    for (const { workspace_id: id, workspace_role } of mine) if (id !== undefined && workspace_role === role) roles.set(id, role);
  }
  const decides = mappings.some(({ instance_role: role }) => role !== undefined);
  const instanceRole = INSTANCE_ROLES.find((role) => mine.some((mapping) => mapping.instance_role === role)) ?? null;
  const workspaces = [...new Set(mappings.flatMap(({ workspace_id: id }) => id ?? []))];
  return { workspaces, roles, ...(decides && { instanceRole }) };
}
