import { GatewayError } from '@parley/protos/errors';
import { INSTANCE_ROLES, type InstanceRole, type Rights, WORKSPACE_ROLES, type WorkspaceRole } from '../config/roles.ts';
import { type Actor } from '../middleware/principal.ts';
import { hasPermission, type Permission } from './permissions.ts';
import { permissionDenied } from './require-permission.ts';

/** Roles that a user grants to another user. */
export interface RoleGrant {
  workspaceId?: string | null | undefined;
  workspaceRole?: WorkspaceRole | null | undefined;
  instanceRole?: InstanceRole | null | undefined;
}

/**
 * True when the rights suffice to invite a person with these roles: the owner role also needs `owners.write`, a role for the gateway
 * `instance_roles.write`.
 */
export function canInvite(rights: Rights, { workspaceId, workspaceRole, instanceRole }: RoleGrant): boolean {
  if (instanceRole && !hasPermission(rights, 'instance_roles.write')) return false;
  if (!hasPermission(rights, 'invitations.write', workspaceId ?? undefined)) return false;
  return workspaceRole !== 'owner' || hasPermission(rights, 'owners.write', workspaceId ?? undefined);
}

/** Rejects a caller who may not grant one of these roles. @throws GatewayError PERMISSION_DENIED */
export function requireGrantPermission(rights: Rights, { workspaceId, workspaceRole, instanceRole }: RoleGrant): void {
  if (instanceRole && !hasPermission(rights, 'instance_roles.write')) throw permissionDenied('instance_roles.write');
  if (workspaceRole === 'owner' && !hasPermission(rights, 'owners.write', workspaceId ?? undefined)) throw permissionDenied('owners.write');
}

/**
 * Rejects a caller who may not grant or remove this role in the workspace; `permission` applies to all roles except owner, which needs
 * `owners.write`.
 * @throws GatewayError PERMISSION_DENIED
 */
export function requireWorkspaceRolePermission(rights: Rights, workspaceId: string, role: WorkspaceRole, permission: Permission): void {
  const needed = role === 'owner' ? 'owners.write' : permission;
  if (!hasPermission(rights, needed, workspaceId)) throw permissionDenied(needed);
}

/** Rejects a user who changes their own role or status: another user has to do it. @throws GatewayError PERMISSION_DENIED */
export function requireOtherUser(actor: Actor | undefined, userId: string): void {
  if (actor?.kind === 'user' && actor.id === userId) {
    throw new GatewayError('PERMISSION_DENIED', 'you cannot change your own role or status; ask another owner or admin', {
      param: 'user_id',
    });
  }
}

/** True when the role is not higher than the caller's role in the workspace, or the caller has `permission` for the whole gateway. */
export function canManageRole(rights: Rights, permission: Permission, workspaceId: string, role: WorkspaceRole): boolean {
  if (hasPermission(rights, permission)) return true;
  const own = rights.memberships.find((one) => one.workspaceId === workspaceId)?.role ?? null;
  return rankOf(WORKSPACE_ROLES, own) >= rankOf(WORKSPACE_ROLES, role);
}

/** Rejects a caller who changes a user with a higher role for the gateway than their own. @throws GatewayError PERMISSION_DENIED */
export function requireNotOutranked(rights: Rights, target: { instanceRole: string | null }): void {
  if (rankOf(INSTANCE_ROLES, target.instanceRole) > rankOf(INSTANCE_ROLES, rights.instanceRole))
    throw permissionDenied('instance_roles.write');
}

/** Returns the higher of two roles in a workspace, so that an invitation never lowers a role. */
export function higherWorkspaceRole(one: WorkspaceRole, other: string | null): WorkspaceRole {
  return rankOf(WORKSPACE_ROLES, other) > rankOf(WORKSPACE_ROLES, one) ? (other as WorkspaceRole) : one;
}

/** Returns the higher of two roles for the gateway; null is the lowest. */
export function higherInstanceRole(one: InstanceRole | null, other: InstanceRole | null): InstanceRole | null {
  return rankOf(INSTANCE_ROLES, other) > rankOf(INSTANCE_ROLES, one) ? other : one;
}

/** The rank of a role, 0 for none; the lists of roles start with the highest. */
function rankOf(roles: readonly string[], role: string | null): number {
  return role === null ? 0 : roles.length - roles.indexOf(role);
}
