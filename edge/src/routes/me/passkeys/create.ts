import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { consumeChallenge } from '../../../identity/passkey-challenges.ts';
import { verifyRegistration } from '../../../identity/passkeys.ts';
import { getRelyingParty } from '../../../identity/relying-party.ts';
import { insertPasskey } from '../../../store/passkeys.ts';
import { type addedPasskey, passkeyRegistration, toPasskey } from '../../../wire/passkey.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkToken, name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { applyFactorAddition } from '../second-factors/change-factors.ts';

const MAX_PASSKEYS = 20;

/** The body to add a passkey: the token of the challenge, a name, and the response of the authenticator. */
export const createPasskeyBody = z
  .object({ token: linkToken, name: name.default('Passkey'), response: passkeyRegistration })
  .meta({ id: 'NewPasskey' });

/** Adds a passkey that the browser has created. */
export async function createPasskey(
  input: Input<undefined, undefined, z.output<typeof createPasskeyBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof addedPasskey>>> {
  const { req, principal, body } = input;
  const { sessionId, userId } = requireSession(principal);
  const site = getRelyingParty(req, deps.config);
  const challenge = await consumeChallenge(deps, body.token, { purpose: 'register', sessionId });
  const { transports = [], ...attestation } = body.response.response;
  const response = { ...body.response, response: { ...attestation, transports }, clientExtensionResults: {} };
  const credential = await verifyRegistration(site, challenge, response);
  const { value, added, headers } = await applyFactorAddition(input, deps, async (tx, factors) => {
    if (factors.passkeys >= MAX_PASSKEYS) {
      throw new GatewayError('VALIDATION_ERROR', `a person has at most ${MAX_PASSKEYS} passkeys`, { param: 'response' });
    }
    const passkey = await insertPasskey(tx, { ...credential, id: uuidv7(), userId, name: body.name });
    if (!passkey) throw new GatewayError('VALIDATION_ERROR', 'this passkey is registered already', { param: 'response' });
    return { value: passkey, audit: { action: 'passkey.create', targetId: passkey.id, details: { name: passkey.name } } };
  });
  return { body: { ...added, passkey: toPasskey(value) }, headers };
}
