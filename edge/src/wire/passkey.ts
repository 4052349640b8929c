import { z } from 'zod';
import { type StoredPasskey } from '../store/passkeys.ts';
import { addedFactor } from './second-factors.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';

/** A passkey in responses, without its public key. */
export const passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    transports: z.array(z.string()),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Passkey' });

/** The response to a new passkey: the passkey, the session, and recovery codes with the first factor. */
export const addedPasskey = addedFactor.extend({ passkey }).meta({ id: 'AddedPasskey' });

/** The options with which a browser creates or uses a passkey, and the token of their challenge. */
export const passkeyOptions = z
  .object({
    token: z
      .string()
      .meta({ description: 'Names the challenge: to be sent with the answer of the authenticator, once, within five minutes.' }),
    options: z.looseObject({ challenge: z.string() }).meta({
      description:
        'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of the browser (WebAuthn level 3).',
    }),
  })
  .meta({ id: 'PasskeyOptions' });

const MAX_BYTES = 16_384;
const base64url = z
  .string()
  .max(MAX_BYTES)
  .regex(/^[\w-]+$/, 'must be base64url');

const credential = { id: base64url.max(2_048), rawId: base64url.max(2_048), type: z.literal('public-key') };

/** The result of `navigator.credentials.create`, as `toJSON()` writes it. */
export const passkeyRegistration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z
        .array(
          z
            .string()
            .max(30)
            .regex(/^[\w-]+$/, 'must be the name of a transport'),
        )
        .max(10)
        .optional(),
    }),
  })
  .meta({ id: 'PasskeyRegistration' });

/** The result of `navigator.credentials.get`, as `toJSON()` writes it. */
export const passkeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.max(100).nullish(),
    }),
  })
  .meta({ id: 'PasskeyAssertion' });

/** Converts a passkey to its JSON form. */
export function toPasskey({ id, name, transports, createdAt, lastUsedAt }: StoredPasskey): z.input<typeof passkey> {
  return { id, name, transports, created_at: toTimestamp(createdAt), last_used_at: toTimestampOrNull(lastUsedAt) };
}
