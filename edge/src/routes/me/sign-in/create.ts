import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { isPasswordHashCurrent, findPasswordCredentials, replacePasswordHash } from '../../../store/password-credentials.ts';
import { type RouteDeps } from '../../deps.ts';
import { email, password } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { completeFirstFactor, type firstFactorResponse } from '../first-factor.ts';

/** The body of a sign-in with a password. */
export const passwordSignInBody = z.object({ email, password }).meta({ id: 'PasswordSignIn' });

/**
 * Signs in with a password. An unknown email, a user without a password, a disabled user and a wrong password take the same time and get
 * the same error.
 */
export async function signIn(
  { body, req, principal }: Input<undefined, undefined, z.output<typeof passwordSignInBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof firstFactorResponse>>> {
  const { passwords, signInDelay } = deps.identity;
  await signInDelay.admitAttempt(req, body.email);
  const person = await findPasswordCredentials(deps.db, body.email);
  const stored = person?.status === 'active' ? person.passwordHash : null;
  const isRight = await passwords.verify(stored, body.password);
  if (!isRight || !person || stored === null) throw refused();
  const renewed = passwords.needsRehash(stored) ? await passwords.hash(body.password) : undefined;
  const { userId } = person;
  return completeFirstFactor({ req, principal }, deps, userId, async (tx) => {
    if (!(await isPasswordHashCurrent(tx, userId, stored))) throw refused();
    if (renewed !== undefined) await replacePasswordHash(tx, userId, renewed);
    await signInDelay.recordSuccess(tx, req, body.email);
    return { userId, method: 'password', isStrong: false };
  });
}

function refused(): GatewayError {
  return new GatewayError('SIGN_IN_FAILED', 'the email or the password is wrong');
}
