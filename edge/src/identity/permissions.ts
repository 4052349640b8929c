import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';

/** The roles that have a permission: roles for the gateway, and roles in the workspace in which it is used. */
interface Grant {
  readonly instance: readonly InstanceRole[];
  readonly workspace: readonly WorkspaceRole[];
}

const READERS = ['owner', 'admin', 'auditor'] as const;
const ADMINS = ['owner', 'admin'] as const;
const OWNERS = ['owner'] as const;
const MEMBERS = ['owner', 'admin', 'member'] as const;
const ALL = ['owner', 'admin', 'member', 'viewer'] as const;
const NONE = [] as const;

/**
 * The permissions and the roles that have them. Routes name a permission; `GET /me/v1/permissions` returns the table. A permission without
 * a workspace role applies to the whole gateway.
 */
// oxfmt-ignore
export const PERMISSIONS = {
  // The whole gateway
  'status.read':               { instance: READERS, workspace: NONE },
  'workspaces.create':         { instance: ADMINS,  workspace: NONE },
  'users.read':                { instance: READERS, workspace: NONE },
  'users.write':               { instance: ADMINS,  workspace: NONE },
  'instance_roles.write':      { instance: OWNERS,  workspace: NONE },
  'oidc_providers.read':       { instance: READERS, workspace: NONE },
  'oidc_providers.write':      { instance: ADMINS,  workspace: NONE },
  'actions.read':              { instance: READERS, workspace: NONE },
  'actions.publish':           { instance: ADMINS,  workspace: NONE },
  'action_cohort.read':        { instance: READERS, workspace: NONE },
  'action_cohort.write':       { instance: ADMINS,  workspace: NONE },
  'secrets.rotate':            { instance: ADMINS,  workspace: NONE },
  'audit.verify':              { instance: READERS, workspace: NONE },

  // A workspace
  'workspaces.read':           { instance: READERS, workspace: ALL },
  'workspaces.update':         { instance: ADMINS,  workspace: ADMINS },
  'workspaces.bound':          { instance: ADMINS,  workspace: NONE },
  'members.read':              { instance: READERS, workspace: ALL },
  'members.write':             { instance: ADMINS,  workspace: ADMINS },
  'owners.write':              { instance: OWNERS,  workspace: OWNERS },
  'invitations.read':          { instance: READERS, workspace: ADMINS },
  'invitations.write':         { instance: ADMINS,  workspace: ADMINS },
  'service_accounts.read':     { instance: READERS, workspace: ADMINS },
  'service_accounts.write':    { instance: ADMINS,  workspace: ADMINS },
  'keys.read':                 { instance: READERS, workspace: ADMINS },
  'keys.write':                { instance: ADMINS,  workspace: ADMINS },
  'own_keys.write':            { instance: NONE,    workspace: MEMBERS },
  'connections.read':          { instance: READERS, workspace: ALL },
  'connections.write':         { instance: ADMINS,  workspace: ADMINS },
  'route_profiles.read':       { instance: READERS, workspace: ALL },
  'route_profiles.write':      { instance: ADMINS,  workspace: ADMINS },
  'upstream_projects.read':    { instance: READERS, workspace: ALL },
  'upstream_projects.write':   { instance: ADMINS,  workspace: ADMINS },
  'internal_projects.read':    { instance: READERS, workspace: ALL },
  'internal_projects.write':   { instance: ADMINS,  workspace: ADMINS },
  'usage.read':                { instance: READERS, workspace: ADMINS },
  'requests.read':             { instance: READERS, workspace: ADMINS },
  'conversations.export':      { instance: READERS, workspace: OWNERS },
  'conversations.import':      { instance: ADMINS,  workspace: ADMINS },
  'audit.read':                { instance: READERS, workspace: OWNERS },

  // A user's own conversations, files, audio and actions: only membership in the workspace counts, not a role for the gateway
  'data.read':                 { instance: NONE,    workspace: ALL },
  'data.write':                { instance: NONE,    workspace: MEMBERS },
} as const satisfies Record<string, Grant>;

/** The name of a permission. */
export type Permission = keyof typeof PERMISSIONS;

/** True when the rights include a permission in a workspace; without `workspaceId`, for the whole gateway. */
export function hasPermission(rights: Rights, permission: Permission, workspaceId?: string): boolean {
  const { instance, workspace }: Grant = PERMISSIONS[permission];
  if (rights.instanceRole !== null && instance.includes(rights.instanceRole)) return true;
  if (workspaceId === undefined) return false;
  return rights.memberships.some((one) => one.workspaceId === workspaceId && workspace.includes(one.role));
}

/** True when the rights include a permission for the gateway or in at least one workspace. */
export function hasPermissionAnywhere(rights: Rights, permission: Permission): boolean {
  return hasPermission(rights, permission) || rights.memberships.some(({ workspaceId }) => hasPermission(rights, permission, workspaceId));
}
