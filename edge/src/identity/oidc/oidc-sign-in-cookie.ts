import { type IncomingMessage } from 'node:http';
import { type EdgeConfig } from '../../config.ts';
import { newToken, tokenDigest } from '../tokens.ts';

const TOKEN = /^[\w-]{43}$/;
const PATH = '/me/v1/sign-in/oidc';

/** Lifetime of a sign-in at a provider, in milliseconds. */
export const OIDC_SIGN_IN_LIFETIME_MS = 600_000;

/** The cookie that binds a sign-in to the browser that started it. It is sent only to the paths of these sign-ins. */
export class OidcSignInCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor({ publicUrl }: Pick<EdgeConfig, 'publicUrl'>) {
    const isSecure = publicUrl?.startsWith('https://') ?? false;
    this.#name = isSecure ? '__Secure-parley_oidc' : 'parley_oidc';
    this.#attributes = `Max-Age=${OIDC_SIGN_IN_LIFETIME_MS / 1_000}; Path=${PATH}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /**
   * Returns the cookie for a new sign-in, and its digest; reuses the token that the browser has, so that several sign-ins can run at once.
   */
  issue(req: Pick<IncomingMessage, 'headers'>): { digest: string; cookie: string } {
    const token = this.#read(req) ?? newToken();
    return { digest: tokenDigest(token), cookie: `${this.#name}=${token}; ${this.#attributes}` };
  }

  /** True when the request comes from the browser with this digest. */
  matches(req: Pick<IncomingMessage, 'headers'>, digest: string): boolean {
    const token = this.#read(req);
    return token !== undefined && tokenDigest(token) === digest;
  }

  #read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const found = (headers.cookie ?? '').split(';').flatMap((pair) => {
      const [name, value = ''] = pair.trim().split('=', 2);
      return name === this.#name ? [value] : [];
    });
    const [token] = found;
    return found.length === 1 && token !== undefined && TOKEN.test(token) ? token : undefined;
  }
}
