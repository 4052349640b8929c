import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { INSTANCE_ROLES, NO_RIGHTS, WORKSPACE_ROLES } from '../../../config/roles.ts';
import { requireGrantPermission } from '../../../identity/role-grants.ts';
import { newToken, tokenDigest } from '../../../identity/tokens.ts';
import { type Principal } from '../../../middleware/principal.ts';
import { insertInvitation } from '../../../store/invitations.ts';
import { findUser } from '../../../store/users.ts';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type createdInvitation, toInvitation } from '../../../wire/people.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { email, uuid } from '../../fields.ts';
import { toOneTimeLinkUrl } from '../../one-time-link.ts';
import { type Input, type Reply } from '../../route.ts';

/** The body of an invitation: an email, and a role in a workspace, a role for the whole gateway, or both. */
export const createInvitationBody = z
  .object({
    email,
    workspace_id: uuid.optional(),
    workspace_role: z.enum(WORKSPACE_ROLES).optional(),
    instance_role: z.enum(INSTANCE_ROLES).optional(),
  })
  .refine((body) => (body.workspace_id === undefined) === (body.workspace_role === undefined), {
    message: 'goes with workspace_id',
    path: ['workspace_role'],
  })
  .refine((body) => body.workspace_role !== undefined || body.instance_role !== undefined, 'a role is required')
  .meta({ id: 'NewInvitation' });

const LIFE_MS = 7 * 86_400_000;

/**
 * Creates an invitation and returns its link, which only this response shows; it works once, for the user with this email. A caller cannot
 * invite to a role that they may not grant, nor invite themselves.
 * @throws GatewayError PERMISSION_DENIED, VALIDATION_ERROR
 */
export async function createInvitation(
  { principal, body, req }: Input<undefined, undefined, z.output<typeof createInvitationBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof createdInvitation>>> {
  const { workspace_id: workspaceId = null, workspace_role: workspaceRole = null, instance_role: instanceRole = null } = body;
  requireGrantPermission(principal.actor?.rights ?? NO_RIGHTS, { workspaceId, workspaceRole, instanceRole });
  await assertAnother(principal, deps, body.email);
  if (workspaceId !== null) await requireWorkspaceExists(deps.db, workspaceId);
  const [id, token] = [uuidv7(), newToken()];
  const invitation = {
    ...{ id, email: body.email, workspaceId, workspaceRole, instanceRole },
    ...{ invitedBy: nameOf(principal), digest: tokenDigest(token), expiresAt: new Date(Date.now() + LIFE_MS) },
  };
  const details = { email: body.email, workspace_role: workspaceRole, instance_role: instanceRole };
  const change = { action: 'invitation.create', targetId: id, workspaceId: workspaceId ?? undefined, details };
  const stored = await insertInvitation(deps.db, invitation, toAuditEntry(principal, change));
  return {
    body: { ...toInvitation(stored), url: toOneTimeLinkUrl(req, deps, 'invitation', token) },
    headers: { 'cache-control': 'no-store' },
  };
}

async function assertAnother({ actor }: Principal, { db }: RouteDeps, invited: string): Promise<void> {
  if (actor?.kind !== 'user' || actor.id === null) return;
  if ((await findUser(db, actor.id))?.email !== invited) return;
  throw new GatewayError('VALIDATION_ERROR', 'email: you cannot invite yourself; ask another owner or admin', { param: 'email' });
}

function nameOf({ actor }: Principal): string {
  return actor?.id ? `${actor.kind}:${actor.id}` : 'operator';
}
