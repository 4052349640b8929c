import { type z } from 'zod';
import { createChallenge } from '../../../../identity/passkey-challenges.ts';
import { loadWebAuthn } from '../../../../identity/passkeys.ts';
import { getRelyingParty } from '../../../../identity/relying-party.ts';
import { type passkeyOptions } from '../../../../wire/passkey.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';

/**
 * Returns the options to use a passkey. They name no credential, so that they do not reveal who has one; the person chooses in the browser.
 */
export async function createSignInOptions({ req }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof passkeyOptions>>> {
  const { rpId } = getRelyingParty(req, deps.config);
  const session = await deps.identity.sessions.find(req);
  const { token, challenge } = await createChallenge(deps, { purpose: 'assert', sessionId: session?.sessionId ?? null });
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({ rpID: rpId, challenge, userVerification: 'required' });
  return { body: { token, options: { ...options } }, headers: { 'cache-control': 'no-store' } };
}
