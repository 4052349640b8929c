import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { areCurrent, findCredentials, replaceHash } from '../../../store/credentials.ts';
import { type RouteDeps } from '../../deps.ts';
import { email, password } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { completeFirstFactor, type firstFactorAnswer } from '../first-factor.ts';

/** The body of a sign-in with a password. */
export const passwordSignIn = z.object({ email, password }).meta({ id: 'PasswordSignIn' });

/**
 * Signs in with a password. An unknown email, a user without a password, a disabled user and a wrong password take the same time and get
 * the same error.
 */
export async function signIn(
  { body, req, principal }: Input<undefined, undefined, z.output<typeof passwordSignIn>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof firstFactorAnswer>>> {
  const { passwords, signInDelay } = deps.identity;
  await signInDelay.admit(req, body.email);
  const person = await findCredentials(deps.db, body.email);
  const stored = person?.status === 'active' ? person.passwordHash : null;
  const isRight = await passwords.verify(stored, body.password);
  if (!isRight || !person || stored === null) throw refused();
  const renewed = passwords.isOutdated(stored) ? await passwords.hash(body.password) : undefined;
  const { userId } = person;
  return completeFirstFactor({ req, principal }, deps, userId, async (tx) => {
    if (!(await areCurrent(tx, userId, stored))) throw refused();
    if (renewed !== undefined) await replaceHash(tx, userId, renewed);
    await signInDelay.succeed(tx, req, body.email);
    return { userId, method: 'password', isStrong: false };
  });
}

function refused(): GatewayError {
  return new GatewayError('SIGN_IN_FAILED', 'the email or the password is wrong');
}
