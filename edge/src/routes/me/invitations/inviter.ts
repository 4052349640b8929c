import { isUuid } from '@parley/kit/ids/uuid';
import { mayInvite } from '../../../identity/granting.ts';
import { type StoredInvitation } from '../../../store/invitations.ts';
import { findRights } from '../../../store/people.ts';
import { type Writer } from '../../../store/sessions.ts';
import { linkNotValid } from '../link-not-valid.ts';

const PERSON = 'user:';

/** The person who invites; undefined for the operator and service accounts. */
export function inviterOf({ invitedBy }: Pick<StoredInvitation, 'invitedBy'>): string | undefined {
  const id = invitedBy.startsWith(PERSON) ? invitedBy.slice(PERSON.length) : undefined;
  return id !== undefined && isUuid(id) ? id : undefined;
}

/** Refuses an invitation of a person who could not give it any more: rights are those of now. @throws GatewayError LINK_NOT_VALID */
export async function assertStillInvites(tx: Writer, invitation: StoredInvitation): Promise<void> {
  const id = inviterOf(invitation);
  if (id === undefined) return;
  const rights = await findRights(tx, id);
  if (!rights || !mayInvite(rights, invitation)) throw linkNotValid();
}
