import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { consumeChallenge } from '../../../identity/passkey-challenges.ts';
import { type VerifiedAssertion, verifyAssertion } from '../../../identity/passkeys.ts';
import { getRelyingParty } from '../../../identity/relying-party.ts';
import { type PresentedFactor } from '../../../identity/second-factor.ts';
import { passkeyAssertion } from '../../../wire/passkey.ts';
import { type RouteDeps } from '../../deps.ts';
import { linkToken } from '../../fields.ts';

/** A six-digit code of an authenticator app. */
export const totpCode = z.string().regex(/^\d{6}$/, 'must be six digits');

/** A passkey assertion with the token of its challenge. */
export const passkeyAssertionBody = z.object({ token: linkToken, response: passkeyAssertion });

const ONE_FACTOR = 'send one of code, recovery_code and passkey';
const factorFields = {
  code: totpCode.optional(),
  recovery_code: z.string().min(1).max(40).optional(),
  passkey: passkeyAssertionBody.optional(),
};

/** A body with exactly one second factor. */
export const secondFactorBody = z.object(factorFields).refine(isOne, ONE_FACTOR).meta({ id: 'ShownFactor' });

/** A body with exactly one second factor and the token of the pending sign-in. */
export const secondFactorSignInBody = z
  .object({ token: linkToken, ...factorFields })
  .refine(isOne, ONE_FACTOR)
  .meta({ id: 'SecondFactorSignIn' });

/** True when a body contains a code, whose attempts are counted; an assertion cannot be guessed. */
export function hasGuessableCode({ passkey }: z.output<typeof secondFactorBody>): boolean {
  return passkey === undefined;
}

/**
 * Returns the factor in a body; an assertion is verified, and its challenge consumed.
 * @throws GatewayError SIGN_IN_FAILED, LINK_NOT_VALID or INVALID_REQUEST
 */
export async function readFactor(req: IncomingMessage, deps: RouteDeps, body: z.output<typeof secondFactorBody>): Promise<PresentedFactor> {
  const { code, recovery_code: recoveryCode, passkey } = body;
  if (code !== undefined) return { factor: 'totp', code };
  if (recoveryCode !== undefined) return { factor: 'recovery_code', code: recoveryCode };
  if (passkey) return { factor: 'passkey', assertion: await verifyPasskeyAssertion(req, deps, passkey) };
  throw new GatewayError('VALIDATION_ERROR', ONE_FACTOR, { param: 'body' });
}

/** Verifies an assertion and consumes its challenge. @throws GatewayError SIGN_IN_FAILED, LINK_NOT_VALID or INVALID_REQUEST */
export async function verifyPasskeyAssertion(
  req: IncomingMessage,
  deps: RouteDeps,
  { token, response }: z.output<typeof passkeyAssertionBody>,
): Promise<VerifiedAssertion> {
  const site = getRelyingParty(req, deps.config);
  const session = await deps.identity.sessions.find(req);
  const challenge = await consumeChallenge(deps, token, { purpose: 'assert', sessionId: session?.sessionId ?? null });
  const { userHandle, ...answer } = response.response;
  const given = { ...answer, ...(typeof userHandle === 'string' && { userHandle }) };
  return verifyAssertion(deps.db, site, challenge, { ...response, response: given, clientExtensionResults: {} });
}

function isOne({ code, recovery_code, passkey }: { code?: unknown; recovery_code?: unknown; passkey?: unknown }): boolean {
  return [code, recovery_code, passkey].filter((one) => one !== undefined).length === 1;
}
