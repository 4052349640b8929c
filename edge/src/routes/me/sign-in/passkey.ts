import { type z } from 'zod';
import { passkeyRefused } from '../../../identity/passkeys.ts';
import { consumeSecondFactor } from '../../../identity/second-factor.ts';
import { lockUser } from '../../../store/second-factors.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { beginSession } from '../begin-session.ts';
import { type passkeyAssertionBody, verifyPasskeyAssertion } from '../second-factors/fields.ts';

/** Signs in with a passkey alone: the device, and the user verification by the authenticator, count as two factors. */
export async function signInWithPasskey(
  input: Input<undefined, undefined, z.output<typeof passkeyAssertionBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const assertion = await verifyPasskeyAssertion(input.req, deps, input.body);
  const { userId } = assertion.credential;
  if (!assertion.hasUserHandle) throw passkeyRefused();
  return beginSession(input, deps, async (tx) => {
    const person = await lockUser(tx, userId);
    if (!person?.isActive) throw passkeyRefused();
    await consumeSecondFactor(tx, deps.identity.secrets, userId, { factor: 'passkey', assertion });
    return { userId, method: 'passkey', isStrong: true };
  });
}
