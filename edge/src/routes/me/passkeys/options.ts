import { type z } from 'zod';
import { newChallenge } from '../../../identity/passkey-challenges.ts';
import { passkeySite } from '../../../identity/passkey-site.ts';
import { loadWebAuthn, toUserHandle } from '../../../identity/passkeys.ts';
import { runQuery } from '../../../store/client.ts';
import { listCredentials } from '../../../store/passkeys.ts';
import { type passkeyOptions } from '../../../wire/passkey.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { assertMayChange } from '../second-factors/change-factors.ts';
import { requireSession } from '../signed-in.ts';

/** Returns the options to create a passkey: a discoverable credential with user verification. */
export async function createPasskeyOptions({ req, principal }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof passkeyOptions>>> {
  const session = requireSession(principal);
  const { rpId } = passkeySite(req, deps.config);
  await assertMayChange(deps.db, session);
  const excludeCredentials = await runQuery(listCredentials(deps.db, session.userId));
  const { token, challenge } = await newChallenge(deps, { purpose: 'register', sessionId: session.sessionId });
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Parley',
    rpID: rpId,
    userID: toUserHandle(session.userId),
    userName: session.email ?? session.displayName,
    userDisplayName: session.displayName,
    challenge,
    excludeCredentials,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { body: { token, options: { ...options } }, headers: { 'cache-control': 'no-store' } };
}
