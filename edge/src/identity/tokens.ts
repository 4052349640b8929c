import { createHmac, hash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** A new secret of 256 bits, base64url: session cookies, links, secrets of service accounts. */
export function newToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** The only thing that is stored of a token: its SHA-256, base64. High-entropy secrets need no slow hash. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64');
}

/** The CSRF token of a session: who has only the page, and not the cookie, cannot compute it. It changes with the session. */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}
