/** Of the session; in memory only, never in storage and never in a URL. */
let csrfToken = '';

/** Set with each session that is read. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Headers of a request that may change something. */
export function csrfHeaders(): Record<string, string> {
  return csrfToken ? { 'x-csrf-token': csrfToken } : {};
}
