import { z } from 'zod';
import { tokenDigest } from '../../../identity/tokens.ts';
import { findOpenInvitation } from '../../../store/invitations.ts';
import { findPasswordCredentials } from '../../../store/password-credentials.ts';
import { findDisplayNames } from '../../../store/users.ts';
import { type inspectedInvitation, toInspectedInvitation } from '../../../wire/people.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkToken } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { linkNotValidError } from '../link-not-valid-error.ts';
import { findInviterId } from './inviter.ts';

/** The body with the token of an invitation. */
export const inspectInvitationBody = z.object({ token: linkToken }).meta({ id: 'InvitationToken' });

/** Returns what an invitation grants and who created it; it stays open. */
export async function inspectInvitation(
  { body }: Input<undefined, undefined, z.output<typeof inspectInvitationBody>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof inspectedInvitation>>> {
  const found = await findOpenInvitation(db, tokenDigest(body.token));
  if (!found) throw linkNotValidError();
  const inviter = findInviterId(found);
  const names = inviter === undefined ? new Map<string, string>() : await findDisplayNames(db, [inviter]);
  const invitedBy = names.get(inviter ?? '') ?? null;
  const hasAccount = (await findPasswordCredentials(db, found.email)) !== null;
  return { body: toInspectedInvitation(found, { invitedBy, hasAccount }), headers: { 'cache-control': 'no-store' } };
}
