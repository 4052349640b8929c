import { type JWTPayload } from 'jose';

/** The claims about a user: those of the ID token and of the userinfo endpoint. */
export type OidcClaims = JWTPayload & {
  sub: string;
  /** Id of the session at the provider. */
  sid?: string | undefined;
};

const MAX_EMAIL = 254;
const MAX_NAME = 200;
const MAX_GROUPS = 2_000;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
/** Values of `acr` for two factors or a phishing-resistant one (OpenID EAP ACR Values 1.0, PAPE). */
const STRONG_ACR: readonly unknown[] = ['phr', 'phrh', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'];

/** Returns the email in lower case; null when it is absent or invalid. */
export function findEmail({ email }: OidcClaims): string | null {
  return typeof email === 'string' && email.length <= MAX_EMAIL && EMAIL.test(email) ? email.toLowerCase() : null;
}

/** Returns the email when the provider has verified it, else null. Some providers send the string `true`. */
export function findVerifiedEmail(claims: OidcClaims): string | null {
  const { email_verified: isVerified } = claims;
  return isVerified === true || isVerified === 'true' ? findEmail(claims) : null;
}

/** Returns the name to display: `name`, else `preferred_username`, else the email, else `A person`; at most 200 characters. */
export function toDisplayName(claims: OidcClaims): string {
  const { name, preferred_username: username } = claims;
  const given = [name, username, findEmail(claims)].find((one): one is string => typeof one === 'string' && one.trim() !== '');
  const plain = (given ?? '').replaceAll(/\p{Cc}/gu, ' ').trim();
  return plain === '' ? 'A person' : [...plain].slice(0, MAX_NAME).join('').trim();
}

/**
 * Returns the groups in a claim, whose name is looked up exactly, then as a path with dots. A single string is one group; at most 2,000 are
 * returned.
 */
export function listGroups(claims: OidcClaims, claim: string): string[] {
  const value = claim in claims ? claims[claim] : claim.split('.').reduce<unknown>(field, claims);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string').slice(0, MAX_GROUPS);
}

/** True when the provider reports two factors: `amr` contains `mfa` (RFC 8176), or `acr` is a value for strong authentication. */
export function hasTwoFactors({ amr, acr }: OidcClaims): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || STRONG_ACR.includes(acr);
}

/** True when an email may sign up: its domain must be in the list; an empty list allows everybody. */
export function canSignUp(domains: readonly string[], verifiedEmail: string | null): boolean {
  if (domains.length === 0) return true;
  return verifiedEmail !== null && domains.includes(verifiedEmail.slice(verifiedEmail.lastIndexOf('@') + 1));
}

function field(value: unknown, name: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? (value as Record<string, unknown>)[name] : undefined;
}
