import { type z } from 'zod';
import { deleteMember } from '../../../../store/memberships.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from '../fields.ts';

/** Ends the caller's membership in a workspace; revokes the caller's keys in it. */
export async function leaveWorkspace(
  { principal, params }: Input<z.output<typeof workspaceParams>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  const { workspace_id: workspaceId } = params;
  const { userId } = principal;
  const audit = toAuditEntry(principal, { action: 'membership.leave', workspaceId, targetId: userId });
  await deleteMember(deps.db, { userId, workspaceId }, () => undefined, audit);
  invalidateEverywhere(deps, userId);
  return { body: undefined };
}
