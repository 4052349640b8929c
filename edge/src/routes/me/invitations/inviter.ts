import { isUuid } from '@parley/kit/ids/uuid';
import { type Rights } from '../../../config/roles.ts';
import { mayInvite } from '../../../identity/granting.ts';
import { type StoredInvitation } from '../../../store/invitations.ts';
import { isUsable } from '../../../identity/token-holders.ts';
import { findRights } from '../../../store/people.ts';
import { findServiceAccountRecord } from '../../../store/service-accounts.ts';
import { type Writer } from '../../../store/sessions.ts';
import { linkNotValid } from '../link-not-valid.ts';

const OPERATOR = 'operator';

/** The person who invites; undefined for the operator and service accounts. */
export function inviterOf({ invitedBy }: Pick<StoredInvitation, 'invitedBy'>): string | undefined {
  const [kind, id = ''] = invitedBy.split(':');
  return kind === 'user' && isUuid(id) ? id : undefined;
}

/** Refuses an invitation of a person or a service account that could not give it any more: rights are those of now. @throws GatewayError LINK_NOT_VALID */
export async function assertStillInvites(tx: Writer, invitation: StoredInvitation): Promise<void> {
  if (invitation.invitedBy === OPERATOR) return;
  const rights = await rightsOf(tx, invitation);
  if (!rights || !mayInvite(rights, invitation)) throw linkNotValid();
}

/** What the inviter may now; null for one who is gone, disabled or over. */
async function rightsOf(tx: Writer, { invitedBy }: Pick<StoredInvitation, 'invitedBy'>): Promise<Rights | null> {
  const [kind, id = ''] = invitedBy.split(':');
  if (!isUuid(id)) return null;
  if (kind === 'user') return findRights(tx, id);
  const account = kind === 'service_account' ? await findServiceAccountRecord(tx, id) : null;
  return account && isUsable(account) ? account.rights : null;
}
