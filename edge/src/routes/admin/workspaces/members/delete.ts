import { type z } from 'zod';
import { deleteMember as remove } from '../../../../store/memberships.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type memberParams, createRoleChangeCheck } from './fields.ts';

/** Ends a membership and revokes the keys of the user in the workspace. */
export async function deleteMember(
  { principal, params }: Input<z.output<typeof memberParams>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  const { workspace_id: workspaceId, user_id: userId } = params;
  const audit = toAuditEntry(principal, { action: 'member.delete', workspaceId, targetId: userId });
  await remove(deps.db, { workspaceId, userId }, createRoleChangeCheck(principal, params, null), audit);
  invalidateEverywhere(deps, userId);
  return { body: undefined };
}
