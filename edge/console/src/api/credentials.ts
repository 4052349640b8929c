/** What requests of this page carry beside the cookie. It lives in memory only: never in storage, never in a URL. */
interface Credentials {
  csrfToken: string;
}

let credentials: Credentials = { csrfToken: '' };

/** Set with each session that is read. */
export function setCsrfToken(csrfToken: string): void {
  credentials = { csrfToken };
}

/** Headers of a request that may change something. */
export function csrfHeaders(): Record<string, string> {
  return credentials.csrfToken ? { 'x-csrf-token': credentials.csrfToken } : {};
}

/** After a sign-out. */
export function forgetCredentials(): void {
  credentials = { csrfToken: '' };
}
