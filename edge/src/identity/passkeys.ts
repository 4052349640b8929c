import { GatewayError } from '@parley/protos/errors';
import { type AuthenticationResponseJSON, type RegistrationResponseJSON } from '@simplewebauthn/server';
import { findPasskeyCredential, type NewPasskey, type PasskeyCredential } from '../store/passkeys.ts';
import { type DatabaseOrTransaction } from '../store/sessions.ts';
import { type RelyingParty } from './relying-party.ts';

/** A verified assertion. The caller still has to store the counter. */
export interface VerifiedAssertion {
  credential: PasskeyCredential;
  counter: number;
  /** True when the authenticator returned the user handle, as it does for a discoverable credential. */
  hasUserHandle: boolean;
}

/** Loads the library of passkeys on first use: its 350 files would take a sixth of the start time of an edge. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** Returns the WebAuthn user handle of a person: the 16 bytes of the id, which reveal nothing about the person. */
export function toUserHandle(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));
}

/** Verifies a registration and returns its credential. @throws GatewayError VALIDATION_ERROR */
export async function verifyRegistration(
  { rpId, origins }: RelyingParty,
  expectedChallenge: string,
  response: RegistrationResponseJSON,
): Promise<Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const site = { expectedOrigin: origins, expectedRPID: rpId };
  const checked = await verifyRegistrationResponse({ response, expectedChallenge, ...site }).catch((cause: unknown) => {
    throw new GatewayError('VALIDATION_ERROR', 'the answer of the authenticator is not valid', { param: 'response', cause });
  });
  if (!checked.verified) throw new GatewayError('VALIDATION_ERROR', 'the passkey is not proved', { param: 'response' });
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  const credentialId = Uint8Array.from(Buffer.from(id, 'base64url'));
  return { credentialId, publicKey: Uint8Array.from(publicKey), counter, transports: response.response.transports ?? [] };
}

/**
 * Verifies an assertion and returns its passkey. An unknown passkey gets the same error as a wrong signature.
 * @throws GatewayError SIGN_IN_FAILED
 */
export async function verifyAssertion(
  db: DatabaseOrTransaction,
  { rpId, origins }: RelyingParty,
  expectedChallenge: string,
  response: AuthenticationResponseJSON,
): Promise<VerifiedAssertion> {
  const credential = await findPasskeyCredential(db, response.id);
  if (!credential) throw passkeyRefused();
  const { userHandle } = response.response;
  const known = { id: response.id, publicKey: credential.publicKey, counter: credential.counter };
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const site = { expectedOrigin: origins, expectedRPID: rpId };
  const checked = await verifyAuthenticationResponse({ response, expectedChallenge, ...site, credential: known }).catch(
    (cause: unknown) => {
      throw passkeyRefused(cause);
    },
  );
  const isOther = userHandle !== undefined && userHandle !== Buffer.from(toUserHandle(credential.userId)).toString('base64url');
  if (!checked.verified || isOther) throw passkeyRefused();
  return { credential, counter: checked.authenticationInfo.newCounter, hasUserHandle: userHandle !== undefined };
}

/** SIGN_IN_FAILED for every passkey that is not accepted. */
export function passkeyRefused(cause?: unknown): GatewayError {
  return new GatewayError('SIGN_IN_FAILED', 'the passkey was not accepted', { cause });
}
