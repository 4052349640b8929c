import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { requireStrongPassword } from '../../../identity/require-strong-password.ts';
import { higherInstanceRole, higherWorkspaceRole } from '../../../identity/role-grants.ts';
import { tokenDigest } from '../../../identity/tokens.ts';
import { findOpenInvitation, type StoredInvitation, consumeInvitation } from '../../../store/invitations.ts';
import { findPasswordCredentials } from '../../../store/password-credentials.ts';
import { setInvitedRoles, findRights, insertPerson } from '../../../store/people.ts';
import { type SessionRecord, type DatabaseOrTransaction } from '../../../store/sessions.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkToken, name, password } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { beginSession, type AuditedChange } from '../begin-session.ts';
import { linkNotValidError } from '../link-not-valid-error.ts';
import { rotateSession } from '../rotate-session.ts';
import { requireInviterRights } from './inviter.ts';

/** The token of an invitation; a person without an account also sends name and password. */
export const acceptInvitationBody = z
  .object({ token: linkToken, display_name: name.optional(), password: password.optional() })
  .meta({ id: 'InvitationAcceptance' });

type Body = z.output<typeof acceptInvitationBody>;
type Visit = Pick<Input, 'req' | 'principal'>;

/** Accepts an invitation: a signed-in person joins; for a visitor a user with the email of the invitation is created and signed in. */
export async function acceptInvitation(
  { body, req, principal }: Input<undefined, undefined, Body>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const invitation = await findOpenInvitation(deps.db, tokenDigest(body.token));
  if (!invitation) throw linkNotValidError();
  const session = await deps.identity.sessions.find(req);
  if (session) return join(req, deps, { session, invitation, body });
  return becomePerson({ req, principal }, deps, { invitation, body });
}

async function join(
  req: Input['req'],
  deps: RouteDeps,
  { session, invitation, body }: { session: SessionRecord; invitation: StoredInvitation; body: Body },
): Promise<Reply<z.input<typeof currentSession>>> {
  // Authenticates as for every change in a session, with its CSRF token.
  const principal = await deps.identity.sessions.authenticate(req);
  if (session.email !== invitation.email) throw linkNotValidError('the invitation is for another person: sign out first');
  if (session.requiresSecondFactor && !session.isStrong) throw new GatewayError('SECOND_FACTOR_REQUIRED', 'set up a second factor first');
  return rotateSession({ req, principal }, deps, async (tx) => {
    const taken = await take(tx, body, session.userId);
    const now = await findRights(tx, session.userId);
    if (!now) throw linkNotValidError();
    const { workspaceId, workspaceRole } = taken;
    const before = now.memberships.find((one) => one.workspaceId === workspaceId)?.role ?? null;
    const membership = workspaceId && workspaceRole ? { workspaceId, role: higherWorkspaceRole(workspaceRole, before) } : null;
    await setInvitedRoles(tx, session.userId, { membership, instanceRole: higherInstanceRole(taken.instanceRole, now.instanceRole) });
    return { audit: toChange(taken) };
  });
}

async function becomePerson(
  visit: Visit,
  deps: RouteDeps,
  { invitation, body }: { invitation: StoredInvitation; body: Body },
): Promise<Reply<z.input<typeof currentSession>>> {
  const { email } = invitation;
  if (await findPasswordCredentials(deps.db, email))
    throw new GatewayError('EMAIL_TAKEN', 'there is an account with this email: sign in first');
  const displayName = required(body.display_name, 'display_name');
  const chosen = required(body.password, 'password');
  await requireStrongPassword(chosen, { email, param: 'password' });
  const passwordHash = await deps.identity.passwords.hash(chosen);
  const id = uuidv7();
  return beginSession(visit, deps, async (tx) => {
    const taken = await take(tx, body, id);
    const { workspaceId, workspaceRole, instanceRole } = taken;
    const membership = workspaceId && workspaceRole ? { workspaceId, role: workspaceRole } : null;
    await insertPerson(tx, { id, displayName, email, passwordHash, instanceRole, membership });
    return { userId: id, method: 'invitation', isStrong: false, changes: [toChange(taken)] };
  });
}

async function take(tx: DatabaseOrTransaction, { token }: Body, userId: string): Promise<StoredInvitation> {
  const taken = await consumeInvitation(tx, tokenDigest(token), userId);
  if (!taken) throw linkNotValidError();
  await requireInviterRights(tx, taken);
  return taken;
}

function toChange({ id, workspaceId, workspaceRole, instanceRole, invitedBy }: StoredInvitation): AuditedChange {
  const details = { workspace_role: workspaceRole, instance_role: instanceRole, invited_by: invitedBy };
  return { action: 'invitation.accept', targetId: id, workspaceId: workspaceId ?? undefined, details };
}

function required(value: string | undefined, param: 'display_name' | 'password'): string {
  if (value === undefined) throw new GatewayError('VALIDATION_ERROR', `${param}: needed to make an account`, { param });
  return value;
}
