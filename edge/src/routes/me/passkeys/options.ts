import { type z } from 'zod';
import { createChallenge } from '../../../identity/passkey-challenges.ts';
import { loadWebAuthn, toUserHandle } from '../../../identity/passkeys.ts';
import { getRelyingParty } from '../../../identity/relying-party.ts';
import { runQuery } from '../../../store/client.ts';
import { listPasskeyCredentialIds } from '../../../store/passkeys.ts';
import { type passkeyOptions } from '../../../wire/passkey.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { requireChangeableFactors } from '../second-factors/change-factors.ts';

/** Returns the options to create a passkey: a discoverable credential with user verification. */
export async function createPasskeyOptions({ req, principal }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof passkeyOptions>>> {
  const session = requireSession(principal);
  const { rpId } = getRelyingParty(req, deps.config);
  await requireChangeableFactors(deps.db, session);
  const excludeCredentials = await runQuery(listPasskeyCredentialIds(deps.db, session.userId));
  const { token, challenge } = await createChallenge(deps, { purpose: 'register', sessionId: session.sessionId });
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
