/** Roles for the whole gateway, highest first. An auditor may read everything and change nothing. */
export const INSTANCE_ROLES = ['owner', 'admin', 'auditor'] as const;
/** Roles in a workspace, highest first. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

/** A role for the whole gateway. */
export type InstanceRole = (typeof INSTANCE_ROLES)[number];
/** A role in one workspace. */
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** The roles of a user: at most one for the gateway, and one in each workspace of which the user is a member. */
export interface Rights {
  readonly instanceRole: InstanceRole | null;
  readonly memberships: readonly { readonly workspaceId: string; readonly role: WorkspaceRole }[];
}

/** No roles. */
export const NO_RIGHTS: Rights = { instanceRole: null, memberships: [] };
/** The rights of an owner of the gateway; a token for the operator key has them. */
export const OWNER_RIGHTS: Rights = { instanceRole: 'owner', memberships: [] };
