import { jwtVerify } from 'jose';
import { ALGORITHMS, subjectOf } from './id-token.ts';
import { CLOCK_TOLERANCE_S, type ProviderClient } from './provider-clients.ts';

/** What a logout token says: all sessions of a person, or the one with this `sid`. */
export interface LogoutClaims {
  /** Names the token. */
  jti: string;
  subject: string | undefined;
  sid: string | undefined;
  issuedAt: Date;
}

/** A token that is older is refused, with or without an end of its own. */
const MAX_AGE_S = 600;

/** So long a token could be used again: its age, and a clock that is off on either side. */
export const LOGOUT_TOKEN_MS = (MAX_AGE_S + 2 * CLOCK_TOLERANCE_S) * 1_000;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** The type is a recommendation; a token of another kind has another type. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'];
const MAX_JTI = 1_000;

/**
 * The claims of a logout token, whose signature, issuer, audience, age and event are checked (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * @throws GatewayError OIDC_UNAVAILABLE without the keys; an error of jose or TypeError for a token that is not valid
 */
export async function verifyLogoutToken(token: string, { configuration, metadata, keys }: ProviderClient): Promise<LogoutClaims> {
  const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
    algorithms: ALGORITHMS,
    issuer: metadata.issuer,
    audience: configuration.clientMetadata().client_id,
    clockTolerance: CLOCK_TOLERANCE_S,
    maxTokenAge: MAX_AGE_S,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const { jti, iat = 0, events } = payload;
  const { sub: subject, sid } = subjectOf(payload);
  if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw new TypeError('the token is of another type');
  // What is missing keeps an ID token from being a logout token.
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
