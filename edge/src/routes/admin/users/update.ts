import { z } from 'zod';
import { INSTANCE_ROLES, NO_RIGHTS } from '../../../config/roles.ts';
import { requirePermission } from '../../../identity/require-permission.ts';
import { requireNotOutranked, requireOtherUser } from '../../../identity/role-grants.ts';
import { updateUser as update } from '../../../store/users.ts';
import { activeStatus, toUser, type user } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { email, name } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, hasDefinedField } from '../fields.ts';

/** The body of a change of a user. */
export const updateUserBody = z
  .object({
    display_name: name.optional(),
    email: email.optional(),
    status: activeStatus.optional(),
    requires_second_factor: z.boolean().optional(),
    instance_role: z.enum(INSTANCE_ROLES).nullable().optional().meta({ description: 'For the whole gateway; null for none.' }),
  })
  .refine(hasDefinedField, 'at least one field is required')
  .meta({ id: 'UserChange' });

/**
 * Changes a user whose role is not higher than the caller's, or sets a role for the whole gateway; in effect for keys, sessions and tokens
 * within a second.
 * @throws GatewayError PERMISSION_DENIED, NOT_FOUND, EMAIL_TAKEN, LAST_OWNER
 */
export async function updateUser(
  { principal, params, body }: Input<z.output<typeof idParams>, undefined, z.output<typeof updateUserBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof user>>> {
  const { display_name: displayName, email: address, status, requires_second_factor: requiresSecondFactor } = body;
  const { instance_role: instanceRole } = body;
  if (instanceRole !== undefined) requirePermission(principal, 'instance_roles.write', undefined);
  if (instanceRole !== undefined || status !== undefined) requireOtherUser(principal.actor, params.id);
  const audit = toAuditEntry(principal, { action: 'user.update', targetId: params.id });
  const rights = principal.actor?.rights ?? NO_RIGHTS;
  const change = { displayName, email: address, status, requiresSecondFactor, instanceRole };
  const { user: changed, ended } = await update(deps.db, params.id, change, {
    audit,
    allow: (target) => requireNotOutranked(rights, target),
  });
  for (const id of [changed.id, ...ended]) invalidateEverywhere(deps, id);
  return { body: toUser(changed) };
}
