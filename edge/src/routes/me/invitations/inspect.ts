import { z } from 'zod';
import { tokenDigest } from '../../../identity/tokens.ts';
import { findCredentials } from '../../../store/credentials.ts';
import { findInvitation } from '../../../store/invitations.ts';
import { findDisplayNames } from '../../../store/users.ts';
import { type inspectedInvitation, toInspectedInvitation } from '../../../wire/people.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkToken } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { inviterOf } from './inviter.ts';

/** The body with the token of an invitation. */
export const invitationToken = z.object({ token: linkToken }).meta({ id: 'InvitationToken' });

/** Returns what an invitation grants and who created it; it stays open. */
export async function inspectInvitation(
  { body }: Input<undefined, undefined, z.output<typeof invitationToken>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof inspectedInvitation>>> {
  const found = await findInvitation(db, tokenDigest(body.token));
  if (!found) throw linkNotValid();
  const inviter = inviterOf(found);
  const names = inviter === undefined ? new Map<string, string>() : await findDisplayNames(db, [inviter]);
  const invitedBy = names.get(inviter ?? '') ?? null;
  const hasAccount = (await findCredentials(db, found.email)) !== null;
  return { body: toInspectedInvitation(found, { invitedBy, hasAccount }), headers: { 'cache-control': 'no-store' } };
}
