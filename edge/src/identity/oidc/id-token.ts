import { type JWTPayload, jwtVerify } from 'jose';
import { CLOCK_TOLERANCE_S, type ProviderClient } from './provider-clients.ts';

/** Signatures that a public key verifies: never `none`, never one whose key the client knows. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/**
 * The claims of an ID token, whose signature, issuer, audience, times and nonce are checked (OpenID Connect Core 1.0, section 3.1.3.7).
 * @throws GatewayError OIDC_UNAVAILABLE without the keys; an error of jose or TypeError for a token that is not valid
 */
export async function verifyIdToken(
  token: string,
  { configuration, metadata, keys }: ProviderClient,
  nonce: string,
): Promise<JWTPayload & { sub: string }> {
  const { payload } = await jwtVerify(token, keys.find, {
    algorithms: ALGORITHMS,
    issuer: metadata.issuer,
    audience: configuration.clientMetadata().client_id,
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  });
  const { sub } = payload;
  if (payload['nonce'] !== nonce) throw new TypeError('the nonce is another one');
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) throw new TypeError('the subject is not valid');
  return { ...payload, sub };
}

/** OpenID Connect Core 1.0, section 2, allows 255 characters. */
const MAX_SUBJECT = 255;
