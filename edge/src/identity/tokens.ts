import { createHmac, hash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** Returns a new secret of 256 bits in base64url: for session cookies, links and secrets of service accounts. */
export function newToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Returns the stored form of a token: its SHA-256 in base64. Secrets with high entropy need no slow hash. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Returns the CSRF token of a session, which cannot be computed without the cookie. It changes with the session token. */
export function deriveCsrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}
