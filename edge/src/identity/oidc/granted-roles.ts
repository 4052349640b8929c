import { INSTANCE_ROLES, WORKSPACE_ROLES, type WorkspaceRole } from '../../config/roles.ts';
import { type RoleMapping } from '../../config/oidc-fields.ts';
import { type GrantedRoles } from '../../store/oidc-roles.ts';

/** The roles of a person with these groups: of several, the one that may most. The mappings decide in the workspaces that they name, and nowhere else. */
export function grantedRoles(mappings: readonly RoleMapping[], groups: readonly string[]): GrantedRoles {
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
