import { GatewayError } from '@parley/protos/errors';
import { type Principal } from '../../middleware/principal.ts';
import { type SessionRecord } from '../../store/sessions.ts';

/**
 * Returns the login session of a principal; for routes with `access: 'session'`.
 * @throws GatewayError SIGN_IN_REQUIRED when there is none
 */
export function requireSession({ session }: Principal): SessionRecord {
  if (!session) throw new GatewayError('SIGN_IN_REQUIRED', 'sign in first');
  return session;
}
