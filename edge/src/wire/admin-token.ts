import { z } from 'zod';

/** A token of the control plane, with the field names of OAuth 2.0 (RFC 6749, section 5.1). */
export const adminToken = z
  .object({
    access_token: z.string().meta({ description: 'To be sent as `Authorization: Bearer <token>`.' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'In seconds.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'AdminToken' });

/** The public keys that verify tokens (RFC 7517). */
export const jwks = z
  .object({
    keys: z.array(
      z.object({ kty: z.string(), crv: z.string(), x: z.string(), kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig') }),
    ),
  })
  .meta({ id: 'Jwks' });

/** Converts a new token to its JSON form. */
export function toAdminToken({ token, expiresAt }: { token: string; expiresAt: Date }): z.input<typeof adminToken> {
  const left = Math.max(0, Math.round((expiresAt.getTime() - Date.now()) / 1_000));
  return { access_token: token, token_type: 'Bearer', expires_in: left, expires_at: expiresAt.toISOString() };
}
