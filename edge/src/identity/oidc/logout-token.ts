import { jwtVerify } from 'jose';
import { SIGNATURE_ALGORITHMS, parseSubject } from './id-token.ts';
import { CLOCK_TOLERANCE_S, type ProviderClient } from './provider-clients.ts';

/** The claims of a logout token: it ends all sessions of the subject, or the one with this `sid`. */
export interface LogoutClaims {
  /** Id of the token. */
  jti: string;
  subject: string | undefined;
  sid: string | undefined;
  issuedAt: Date;
}

/** Largest age of a token in seconds, whether or not it has an `exp`. */
const MAX_AGE_S = 600;

/** How long a used token could be accepted again, in milliseconds: its largest age plus the clock tolerance in both directions. */
export const LOGOUT_TOKEN_REPLAY_MS = (MAX_AGE_S + 2 * CLOCK_TOLERANCE_S) * 1_000;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Accepted values of `typ`, which is optional; other kinds of token have another type. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'];
const MAX_JTI = 1_000;

/**
 * Verifies the signature, issuer, audience, age and event of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6) and
 * returns its claims.
 * @throws GatewayError OIDC_UNAVAILABLE when the keys cannot be read; an error of jose or TypeError for an invalid token
 */
export async function verifyLogoutToken(token: string, { configuration, metadata, keys }: ProviderClient): Promise<LogoutClaims> {
  const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
    algorithms: SIGNATURE_ALGORITHMS,
    issuer: metadata.issuer,
    audience: configuration.clientMetadata().client_id,
    clockTolerance: CLOCK_TOLERANCE_S,
    maxTokenAge: MAX_AGE_S,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const { jti, iat = 0, events } = payload;
  const { sub: subject, sid } = parseSubject(payload);
  if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw new TypeError('the token is of another type');
  // An ID token has a nonce; so it cannot be used as a logout token.
  if ('nonce' in payload) throw new TypeError('a logout token has no nonce');
  if (!hasEvent(events)) throw new TypeError('the event is not a logout');
  if (subject === undefined && sid === undefined) throw new TypeError('neither a subject nor a sid is named');
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI) throw new TypeError('the jti is not valid');
  return { jti, subject, sid, issuedAt: new Date(iat * 1_000) };
}

function hasEvent(events: unknown): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) return false;
  const event = (events as Record<string, unknown>)[EVENT];
  return typeof event === 'object' && event !== null && !Array.isArray(event);
}
