import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { NO_RIGHTS, type WorkspaceRole } from '../../../../config/roles.ts';
import { hasPermission } from '../../../../identity/permissions.ts';
import { requireWorkspaceRolePermission, requireOtherUser } from '../../../../identity/role-grants.ts';
import { type Principal } from '../../../../middleware/principal.ts';
import { type CheckRoleChange } from '../../../../store/memberships.ts';
import { uuid } from '../../../fields.ts';

/** The path parameter with the id of a workspace. */
export const workspaceParams = z.object({ workspace_id: uuid });

/** The path parameters of a member of a workspace. */
export const memberParams = workspaceParams.extend({ user_id: uuid });

/**
 * Returns the check of a change of a membership: users cannot change their own, only owners change owners, and only callers who may read
 * all users add users who are not members; others invite them.
 */
export function createRoleChangeCheck(
  { actor }: Principal,
  { workspace_id, user_id }: z.output<typeof memberParams>,
  role: WorkspaceRole | null,
): CheckRoleChange {
  const rights = actor?.rights ?? NO_RIGHTS;
  return (before) => {
    requireOtherUser(actor, user_id);
    for (const touched of [before, role]) if (touched) requireWorkspaceRolePermission(rights, workspace_id, touched, 'members.write');
    if (before === null && !hasPermission(rights, 'users.read')) {
      throw new GatewayError('NOT_FOUND', 'no such member', { param: 'user_id' });
    }
  };
}
