import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findInvitationWorkspaceId, revokeInvitation as revoke } from '../../../store/invitations.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** Returns the workspace of an invitation; undefined for one to a role for the gateway. */
export function resolveInvitationWorkspace({ params }: Input<z.output<typeof idParams>>, { db }: RouteDeps): Promise<string | undefined> {
  return findInvitationWorkspaceId(db, params.id);
}

/** Revokes an open invitation. @throws GatewayError NOT_FOUND for any other */
export async function revokeInvitation(
  { principal, params }: Input<z.output<typeof idParams>>,
  { db }: RouteDeps,
): Promise<Reply<undefined>> {
  const isRevoked = await revoke(db, params.id, (workspaceId) =>
    toAuditEntry(principal, { action: 'invitation.revoke', targetId: params.id, workspaceId: workspaceId ?? undefined }),
  );
  if (!isRevoked) throw new GatewayError('NOT_FOUND', 'no such open invitation', { param: 'id' });
  return { body: undefined };
}
