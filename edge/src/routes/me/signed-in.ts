import { GatewayError } from '@parley/protos/errors';
import { type Principal } from '../../middleware/principal.ts';
import { type SessionRecord } from '../../store/sessions.ts';

/** The login session of a row with `access: 'session'`. @throws GatewayError SIGN_IN_REQUIRED for a row that has another access */
export function sessionOf({ session }: Principal): SessionRecord {
  if (!session) throw new GatewayError('SIGN_IN_REQUIRED', 'sign in first');
  return session;
}
