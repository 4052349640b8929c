import { type JWTPayload } from 'jose';

/** What a provider says about a person: the claims of the ID token, with those of its userinfo endpoint. */
export type Claims = JWTPayload & {
  sub: string;
  /** The session at the provider. */
  sid?: string | undefined;
};

const MAX_EMAIL = 254;
const MAX_NAME = 200;
const MAX_GROUPS = 2_000;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
/** Values of `acr` for two factors or a phishing-resistant one (OpenID EAP ACR Values 1.0, PAPE). */
const STRONG_ACR: readonly unknown[] = ['phr', 'phrh', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor'];

/** The email, in lower case; null without a valid one. */
export function emailOf({ email }: Claims): string | null {
  return typeof email === 'string' && email.length <= MAX_EMAIL && EMAIL.test(email) ? email.toLowerCase() : null;
}

/** The email where the provider says that it has checked it. Some send the text `true`. */
export function verifiedEmailOf(claims: Claims): string | null {
  const { email_verified: isVerified } = claims;
  return isVerified === true || isVerified === 'true' ? emailOf(claims) : null;
}

/** A name for people. */
export function displayNameOf(claims: Claims): string {
  const { name, preferred_username: username } = claims;
  const given = [name, username, emailOf(claims)].find((one): one is string => typeof one === 'string' && one.trim() !== '');
  const plain = (given ?? '').replaceAll(/\p{Cc}/gu, ' ').trim();
  return plain === '' ? 'A person' : [...plain].slice(0, MAX_NAME).join('').trim();
}

/** The groups in a claim that is named exactly so, else by a path with dots. A single text is one group. */
export function groupsOf(claims: Claims, claim: string): string[] {
  const value = claim in claims ? claims[claim] : claim.split('.').reduce<unknown>(field, claims);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string').slice(0, MAX_GROUPS);
}

/** Whether the provider says that two factors were shown: `amr` has `mfa` (RFC 8176), or `acr` is a strong one. */
export function isStrong({ amr, acr }: Claims): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || STRONG_ACR.includes(acr);
}

/** Whether an email may sign up; without domains every person may. */
export function maySignUp(domains: readonly string[], verifiedEmail: string | null): boolean {
  if (domains.length === 0) return true;
  return verifiedEmail !== null && domains.includes(verifiedEmail.slice(verifiedEmail.lastIndexOf('@') + 1));
}

function field(value: unknown, name: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? (value as Record<string, unknown>)[name] : undefined;
}
