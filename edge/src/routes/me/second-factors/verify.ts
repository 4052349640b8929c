import { type z } from 'zod';
import { consumeSecondFactor } from '../../../identity/second-factor.ts';
import { lockUser, recordFactorPresented } from '../../../store/second-factors.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { rotateSession } from '../rotate-session.ts';
import { hasGuessableCode, readFactor, type secondFactorBody } from './fields.ts';

/** Verifies a second factor in an open session, which then counts as one with two factors and gets a new cookie and CSRF token. */
export async function verifySecondFactor(
  { req, principal, body }: Input<undefined, undefined, z.output<typeof secondFactorBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const { userId, sessionId, email } = requireSession(principal);
  const { secrets, signInDelay } = deps.identity;
  const account = email ?? userId;
  // Limits attempts, because the holder of a stolen session could guess codes.
  if (hasGuessableCode(body)) await signInDelay.admitAttempt(req, account);
  const shown = await readFactor(req, deps, body);
  return rotateSession({ req, principal }, deps, async (tx) => {
    await lockUser(tx, userId);
    await consumeSecondFactor(tx, secrets, userId, shown);
    if (hasGuessableCode(body)) await signInDelay.recordSuccess(tx, req, account);
    await recordFactorPresented(tx, sessionId);
    const audit = { action: 'session.strengthen', targetId: sessionId, details: { factor: shown.factor } };
    return { isStrong: true, audit };
  });
}
