import { GatewayError } from '@parley/protos/errors';
import { NO_RIGHTS } from '../../../config/roles.ts';
import { reaches } from '../../../identity/granting.ts';
import { may } from '../../../identity/permissions.ts';
import { type Principal } from '../../../middleware/principal.ts';
import { type Database } from '../../../store/client.ts';
import { findMember, type MemberRef } from '../../../store/memberships.ts';

/**
 * Rejects a key with which more could be done than its maker or its user may: its user needs a role that has keys, and who has a role in the workspace only makes no key
 * in the name of a person above himself. All scopes are within every role that makes keys, and the quotas of the workspace bound those of its keys.
 * @throws GatewayError VALIDATION_ERROR, PERMISSION_DENIED
 */
export async function assertMayMakeKey(db: Database, { actor }: Principal, ref: MemberRef): Promise<void> {
  const { workspaceId } = ref;
  const member = await findMember(db, ref);
  if (!member) throw new GatewayError('VALIDATION_ERROR', 'the user is not a member of the workspace', { param: 'user_id' });
  const { role, email } = member;
  if (!may({ instanceRole: null, memberships: [{ workspaceId, role }] }, 'own_keys.write', workspaceId)) {
    throw new GatewayError('VALIDATION_ERROR', 'the role of the user does not include keys', { param: 'user_id' });
  }
  // A user without an email is no person: it only owns keys.
  if (email === null || reaches(actor?.rights ?? NO_RIGHTS, 'keys.write', workspaceId, role)) return;
  throw new GatewayError('PERMISSION_DENIED', 'a key for an owner is made by an owner', { param: 'owners.write' });
}
