import { type JWTPayload, jwtVerify } from 'jose';
import { type OidcClaims } from './claims.ts';
import { CLOCK_TOLERANCE_S, type ProviderClient } from './provider-clients.ts';

/** Accepted signature algorithms, all with public keys: never `none`, never a secret that the client shares. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** Longest subject; OpenID Connect Core 1.0, section 2, allows 255 characters. */
const MAX_SUBJECT = 255;
const MAX_SID = 1_000;

/**
 * Verifies the signature, issuer, audience, times and nonce of an ID token (OpenID Connect Core 1.0, section 3.1.3.7) and returns its
 * claims.
 * @throws GatewayError OIDC_UNAVAILABLE when the keys cannot be read; an error of jose or TypeError for an invalid token
 */
export async function verifyIdToken(token: string, { configuration, metadata, keys }: ProviderClient, nonce: string): Promise<OidcClaims> {
  const { payload } = await jwtVerify(token, keys.find, {
    algorithms: SIGNATURE_ALGORITHMS,
    issuer: metadata.issuer,
    audience: configuration.clientMetadata().client_id,
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  });
  if (payload['nonce'] !== nonce) throw new TypeError('the nonce is another one');
  const { sub, sid } = parseSubject(payload);
  if (sub === undefined) throw new TypeError('the subject is missing');
  return { ...payload, sub, sid };
}

/** Returns the subject and the provider's session id of a token. @throws TypeError when one of them is invalid */
export function parseSubject({ sub, sid }: JWTPayload): { sub: string | undefined; sid: string | undefined } {
  if (sub !== undefined && !isName(sub, MAX_SUBJECT)) throw new TypeError('the subject is not valid');
  if (sid !== undefined && !isName(sid, MAX_SID)) throw new TypeError('the sid is not valid');
  return { sub, sid };
}

/** PostgreSQL cannot store U+0000. */
function isName(value: unknown, most: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= most && !value.includes('\u0000');
}
