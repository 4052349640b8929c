import { type IncomingMessage } from 'node:http';
import { type EdgeConfig } from '../config.ts';

const TOKEN = /^[\w-]{43}$/;

/** The cookie of the login session. Its name and attributes depend on whether the public URL is HTTPS (RFC 6265bis, `__Host-`). */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor({ publicUrl }: Pick<EdgeConfig, 'publicUrl'>) {
    const isSecure = publicUrl?.startsWith('https://') ?? false;
    this.#name = isSecure ? '__Host-parley_session' : 'parley_session';
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the session token in the cookie of a request; undefined when there is none, more than one, or a malformed one. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const found = (headers.cookie ?? '').split(';').flatMap((pair) => {
      const [name, value = ''] = pair.trim().split('=', 2);
      return name === this.#name ? [value] : [];
    });
    const [token] = found;
    return found.length === 1 && token !== undefined && TOKEN.test(token) ? token : undefined;
  }

  /** Returns the `Set-Cookie` value that starts a session. */
  toSetCookie(token: string, maxAgeMs: number): string {
    return `${this.#name}=${token}; Max-Age=${Math.floor(maxAgeMs / 1_000)}; ${this.#attributes}`;
  }

  /** Returns the `Set-Cookie` value that removes the cookie. */
  toClearingCookie(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
