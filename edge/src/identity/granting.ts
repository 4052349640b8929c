import { GatewayError } from '@parley/protos/errors';
import { INSTANCE_ROLES, type InstanceRole, type Rights, WORKSPACE_ROLES, type WorkspaceRole } from '../config/roles.ts';
import { type Actor } from '../middleware/principal.ts';
import { may, type Permission } from './permissions.ts';
import { denied } from './require-permission.ts';

/** Roles that a user gives to another user. */
export interface Granted {
  workspaceId?: string | null | undefined;
  workspaceRole?: WorkspaceRole | null | undefined;
  instanceRole?: InstanceRole | null | undefined;
}

/** True when the rights suffice to give these roles by invitation: only who may make owners gives that role. */
export function mayInvite(rights: Rights, { workspaceId, workspaceRole, instanceRole }: Granted): boolean {
  if (instanceRole && !may(rights, 'instance_roles.write')) return false;
  if (!may(rights, 'invitations.write', workspaceId ?? undefined)) return false;
  return workspaceRole !== 'owner' || may(rights, 'owners.write', workspaceId ?? undefined);
}

/** Rejects who gives a role that is not his to give. @throws GatewayError PERMISSION_DENIED */
export function assertMayGrant(rights: Rights, { workspaceId, workspaceRole, instanceRole }: Granted): void {
  if (instanceRole && !may(rights, 'instance_roles.write')) throw denied('instance_roles.write');
  if (workspaceRole === 'owner' && !may(rights, 'owners.write', workspaceId ?? undefined)) throw denied('owners.write');
}

/** Rejects who may not give or take a role in a workspace with a permission; that of an owner is the owners' to give. @throws GatewayError PERMISSION_DENIED */
export function assertMayAssign(rights: Rights, workspaceId: string, role: WorkspaceRole, permission: Permission): void {
  const needed = role === 'owner' ? 'owners.write' : permission;
  if (!may(rights, needed, workspaceId)) throw denied(needed);
}

/** Rejects a change of one's own role, or of one's own account by its status: another user has to do it. @throws GatewayError PERMISSION_DENIED */
export function assertSomebodyElse(actor: Actor | undefined, userId: string): void {
  if (actor?.kind === 'user' && actor.id === userId) {
    throw new GatewayError('PERMISSION_DENIED', 'you cannot change your own role or status; ask another owner or admin', {
      param: 'user_id',
    });
  }
}

/** True when a role in a workspace is not above the one of the user there; roles for the whole gateway with `permission` are above all. */
export function reaches(rights: Rights, permission: Permission, workspaceId: string, role: WorkspaceRole): boolean {
  if (may(rights, permission)) return true;
  const own = rights.memberships.find((one) => one.workspaceId === workspaceId)?.role ?? null;
  return rankOf(WORKSPACE_ROLES, own) >= rankOf(WORKSPACE_ROLES, role);
}

/** Rejects who changes a person with a higher role for the gateway than his own. @throws GatewayError PERMISSION_DENIED */
export function assertMayChange(rights: Rights, target: { instanceRole: string | null }): void {
  if (rankOf(INSTANCE_ROLES, target.instanceRole) > rankOf(INSTANCE_ROLES, rights.instanceRole)) throw denied('instance_roles.write');
}

/** The higher of two roles in a workspace: an invitation takes nothing away. */
export function higherWorkspaceRole(one: WorkspaceRole, other: string | null): WorkspaceRole {
  return rankOf(WORKSPACE_ROLES, other) > rankOf(WORKSPACE_ROLES, one) ? (other as WorkspaceRole) : one;
}

/** The higher of two roles for the gateway. */
export function higherInstanceRole(one: InstanceRole | null, other: InstanceRole | null): InstanceRole | null {
  return rankOf(INSTANCE_ROLES, other) > rankOf(INSTANCE_ROLES, one) ? other : one;
}

/** The lists of roles begin with the highest. */
function rankOf(roles: readonly string[], role: string | null): number {
  return role === null ? 0 : roles.length - roles.indexOf(role);
}
