import { isUuid } from '@parley/kit/ids/uuid';
import { type Rights } from '../../../config/roles.ts';
import { canInvite } from '../../../identity/role-grants.ts';
import { isUsableServiceAccount } from '../../../identity/token-rights-resolver.ts';
import { type StoredInvitation } from '../../../store/invitations.ts';
import { findRights } from '../../../store/people.ts';
import { findServiceAccountRecord } from '../../../store/service-accounts.ts';
import { type DatabaseOrTransaction } from '../../../store/sessions.ts';
import { linkNotValidError } from '../link-not-valid-error.ts';

const OPERATOR = 'operator';

/** Returns the id of the user who created the invitation; undefined for the operator and service accounts. */
export function findInviterId({ invitedBy }: Pick<StoredInvitation, 'invitedBy'>): string | undefined {
  const [kind, id = ''] = invitedBy.split(':');
  return kind === 'user' && isUuid(id) ? id : undefined;
}

/** Rejects an invitation whose creator could not create it any more, by the current rights. @throws GatewayError LINK_NOT_VALID */
export async function requireInviterRights(tx: DatabaseOrTransaction, invitation: StoredInvitation): Promise<void> {
  if (invitation.invitedBy === OPERATOR) return;
  const rights = await rightsOf(tx, invitation);
  if (!rights || !canInvite(rights, invitation)) throw linkNotValidError();
}

/** Returns the current rights of the inviter; null when it was deleted or disabled, or has expired. */
async function rightsOf(tx: DatabaseOrTransaction, { invitedBy }: Pick<StoredInvitation, 'invitedBy'>): Promise<Rights | null> {
  const [kind, id = ''] = invitedBy.split(':');
  if (!isUuid(id)) return null;
  if (kind === 'user') return findRights(tx, id);
  const account = kind === 'service_account' ? await findServiceAccountRecord(tx, id) : null;
  return account && isUsableServiceAccount(account) ? account.rights : null;
}
