import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { type components } from '../api/generated/me.ts';
import { meClient } from '../api/me.ts';
import { unwrap } from '../api/unwrap.ts';

type Schemas = components['schemas'];

/** Why a passkey was neither made nor used: a key of the texts `passkey.*`. */
export type PasskeyReason = 'cancelled' | 'exists' | 'unsupported';

/** The error of a passkey that was neither made nor used, by the device or its user. */
export class PasskeyError extends Error {
  readonly reason: PasskeyReason;

  constructor(reason: PasskeyReason, cause?: unknown) {
    super(reason, { cause });
    this.name = 'PasskeyError';
    this.reason = reason;
  }
}

/** Whether the browser supports passkeys at this address. */
export function isPasskeySupported(): boolean {
  return browserSupportsWebAuthn();
}

/** Requests an assertion: lets the user use a passkey for a new challenge. @throws Problem, PasskeyError */
export async function requestPasskeyAssertion(): Promise<{ token: string; response: Schemas['PasskeyAssertion'] }> {
  const { token, options } = await unwrap(meClient.POST('/me/v1/sign-in/passkey/options'));
  const made = await startAuthentication({ optionsJSON: options }).catch(toReason);
  const { id, rawId, response } = made;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    token,
    response: {
      ...{ id, rawId, type: 'public-key' },
      response: { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) },
    },
  };
}

/** Lets the person make a passkey on this device, or on another one that the browser offers. @throws Problem, PasskeyError */
export async function makePasskey(begun: Schemas['PasskeyOptions']): Promise<Schemas['PasskeyRegistration']> {
  type OptionsJSON = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const { id, rawId, response } = await startRegistration({ optionsJSON: begun.options as unknown as OptionsJSON }).catch(toReason);
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    ...{ id, rawId, type: 'public-key' },
    response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
  };
}

function toReason(error: unknown): never {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') throw new PasskeyError('exists', error);
  const isUnsupported = !isPasskeySupported() || (error instanceof Error && error.name === 'SecurityError');
  throw new PasskeyError(isUnsupported ? 'unsupported' : 'cancelled', error);
}
