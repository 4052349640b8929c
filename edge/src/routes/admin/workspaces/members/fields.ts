import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { NO_RIGHTS, type WorkspaceRole } from '../../../../config/roles.ts';
import { assertMayAssign, assertSomebodyElse } from '../../../../identity/granting.ts';
import { may } from '../../../../identity/permissions.ts';
import { type Principal } from '../../../../middleware/principal.ts';
import { type AllowRole } from '../../../../store/memberships.ts';
import { uuid } from '../../../fields.ts';

/** The workspace in a path. */
export const workspaceParams = z.object({ workspace_id: uuid });

/** A member in a path. */
export const memberParams = workspaceParams.extend({ user_id: uuid });

/**
 * Decides about a change of a membership: users cannot change their own, only owners change owners, and people who are no members yet are added by those who may read all
 * users. Others invite them.
 */
export function roleChange(
  { actor }: Principal,
  { workspace_id, user_id }: z.output<typeof memberParams>,
  role: WorkspaceRole | null,
): AllowRole {
  const rights = actor?.rights ?? NO_RIGHTS;
  return (before) => {
    assertSomebodyElse(actor, user_id);
    for (const touched of [before, role]) if (touched) assertMayAssign(rights, workspace_id, touched, 'members.write');
    if (before === null && !may(rights, 'users.read')) {
      throw new GatewayError('NOT_FOUND', 'no such member', { param: 'user_id' });
    }
  };
}
