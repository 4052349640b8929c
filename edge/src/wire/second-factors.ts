import { z } from 'zod';
import { type SecondFactors } from '../store/second-factors.ts';
import { currentSession } from './session.ts';
import { toTimestampOrNull } from './time.ts';

/** The second factors of a user in responses. */
export const secondFactors = z
  .object({
    totp: z.object({ confirmed_at: z.iso.datetime() }).nullable().meta({ description: 'The authenticator app; null without one.' }),
    passkeys: z.int(),
    recovery_codes: z.int().meta({ description: 'Codes that are left.' }),
    is_required: z.boolean().meta({ description: 'An admin demands a second factor; the last one cannot be removed.' }),
  })
  .meta({ id: 'SecondFactors' });

/** The secret of an authenticator app, which only this response shows. */
export const totpSecret = z
  .object({
    secret: z.string().meta({ description: 'Base32, to be typed into an app.' }),
    uri: z.string().meta({ description: '`otpauth://`, to be drawn as a QR code.' }),
  })
  .meta({ id: 'TotpSecret' });

/** Recovery codes, which only this response shows. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' });

/** The response to a new second factor: the renewed session, and recovery codes with the first factor. */
export const addedFactor = z
  .object({
    session: currentSession,
    recovery_codes: z.array(z.string()).nullable().meta({ description: 'With the first factor, and never shown again; null with others.' }),
  })
  .meta({ id: 'AddedFactor', description: 'The session shows two factors now: where it did not before, cookie and CSRF token are new.' });

/** Converts the second factors of a user to their JSON form. */
export function toSecondFactors({
  totpConfirmedAt,
  passkeys,
  recoveryCodes: left,
  isRequired,
}: SecondFactors): z.input<typeof secondFactors> {
  const confirmedAt = toTimestampOrNull(totpConfirmedAt);
  return { totp: confirmedAt === null ? null : { confirmed_at: confirmedAt }, passkeys, recovery_codes: left, is_required: isRequired };
}
