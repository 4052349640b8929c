import { z } from 'zod';
import { WORKSPACE_ROLES } from '../../../../config/roles.ts';
import { putMember as put } from '../../../../store/memberships.ts';
import { type member, toMember } from '../../../../wire/member.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type memberParams, createRoleChangeCheck } from './fields.ts';

/** The body with the role of a member. */
export const memberRoleBody = z.object({ role: z.enum(WORKSPACE_ROLES) }).meta({ id: 'MemberRole' });

/** Adds a member or changes the role of one; in effect at every edge within a second. */
export async function putMember(
  { principal, params, body }: Input<z.output<typeof memberParams>, undefined, z.output<typeof memberRoleBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof member>>> {
  const { workspace_id: workspaceId, user_id: userId } = params;
  const audit = toAuditEntry(principal, { action: 'member.put', workspaceId, targetId: userId });
  const stored = await put(deps.db, { workspaceId, userId }, body.role, createRoleChangeCheck(principal, params, body.role), audit);
  invalidateEverywhere(deps, userId);
  return { body: toMember(stored) };
}
