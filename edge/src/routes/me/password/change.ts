import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { requireStrongPassword } from '../../../identity/require-strong-password.ts';
import { revokeOneTimeTokens } from '../../../store/one-time-tokens.ts';
import { isPasswordHashCurrent, findPasswordCredentialsById, setPassword } from '../../../store/password-credentials.ts';
import { revokeSessions } from '../../../store/sessions.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { password } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { rotateSession } from '../rotate-session.ts';

/** The body with the current and the new password. */
export const changePasswordBody = z.object({ old_password: password, new_password: password }).meta({ id: 'PasswordChange' });

/** Changes the password of the caller. All other sessions end, and password reset links and pending sign-ins become invalid. */
export async function changePassword(
  { body, req, principal }: Input<undefined, undefined, z.output<typeof changePasswordBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const { userId, sessionId, email } = requireSession(principal);
  const { passwords, signInDelay } = deps.identity;
  await requireStrongPassword(body.new_password, { email, param: 'new_password' });
  // Limits attempts, because the holder of a stolen session could guess the password.
  await signInDelay.admitAttempt(req, email ?? userId);
  const stored = (await findPasswordCredentialsById(deps.db, userId))?.passwordHash ?? null;
  if (!(await passwords.verify(stored, body.old_password)) || stored === null) throw wrong();
  const next = await passwords.hash(body.new_password);
  return rotateSession({ req, principal }, deps, async (tx) => {
    if (!(await isPasswordHashCurrent(tx, userId, stored))) throw wrong();
    await setPassword(tx, userId, next);
    await signInDelay.recordSuccess(tx, req, email ?? userId);
    for (const kind of ['reset', 'second_factor'] as const) await revokeOneTimeTokens(tx, kind, userId);
    const endedSessionIds = await revokeSessions(tx, userId, { except: sessionId });
    return { endedSessionIds, audit: { action: 'password.change', targetId: userId, details: { ended_sessions: endedSessionIds.length } } };
  });
}

function wrong(): GatewayError {
  return new GatewayError('SIGN_IN_FAILED', 'the old password is wrong', { param: 'old_password' });
}
