/** Roles for the whole gateway. An auditor reads everything and changes nothing. */
export const INSTANCE_ROLES = ['owner', 'admin', 'auditor'] as const;
/** Roles in one workspace. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

/** A role for the whole gateway. */
export type InstanceRole = (typeof INSTANCE_ROLES)[number];
/** A role in one workspace. */
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** What a user may do: a role for the gateway, and one in each of some workspaces. */
export interface Rights {
  readonly instanceRole: InstanceRole | null;
  readonly memberships: readonly { readonly workspaceId: string; readonly role: WorkspaceRole }[];
}

/** Nothing. */
export const NO_RIGHTS: Rights = { instanceRole: null, memberships: [] };
/** Everything that an owner of the gateway may; what the operator key is exchanged for. */
export const OWNER_RIGHTS: Rights = { instanceRole: 'owner', memberships: [] };
