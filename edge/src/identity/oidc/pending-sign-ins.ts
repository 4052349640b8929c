import { uuidv7 } from '@parley/kit/ids/uuid';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { runQuery, type Database } from '../../store/client.ts';
import { findOneTimeToken, insertOneTimeToken, consumeOneTimeToken } from '../../store/one-time-tokens.ts';
import { newToken, tokenDigest } from '../tokens.ts';
import { OIDC_SIGN_IN_LIFETIME_MS } from './oidc-sign-in-cookie.ts';

/** A sign-in that waits for the redirect of its provider. */
export interface PendingSignIn {
  providerId: string;
  /** Digest of the cookie of the browser that started it. */
  browser: string;
  /** Redirect URI, which must be the same in the authorization and the token request. */
  redirectUri: string;
  /** PKCE code verifier (RFC 7636). */
  verifier: string;
  nonce: string;
  returnTo: string;
  /** The signed-in user who adds an identity, and the session; absent for a sign-in. */
  link?: { userId: string; sessionId: string };
}

/** Stores started sign-ins under their `state`, encrypted, for ten minutes; each can be used once. */
export class PendingSignIns {
  readonly #db: Database;
  readonly #secrets: SecretBox;

  constructor(db: Database, secrets: SecretBox) {
    this.#db = db;
    this.#secrets = secrets;
  }

  /** Stores a sign-in; returns its `state`. */
  async add(pending: PendingSignIn): Promise<string> {
    const [id, token] = [uuidv7(), newToken()];
    const state = Uint8Array.from(this.#secrets.seal(id, JSON.stringify(pending)));
    const expiresAt = new Date(Date.now() + OIDC_SIGN_IN_LIFETIME_MS);
    await runQuery(insertOneTimeToken(this.#db, { id, kind: 'oidc', digest: tokenDigest(token), state, expiresAt }));
    return token;
  }

  /** Returns the sign-in with this `state` without consuming it; null when it was consumed, has expired or does not exist. */
  async find(state: string): Promise<PendingSignIn | null> {
    const found = await findOneTimeToken(this.#db, 'oidc', tokenDigest(state));
    return found?.state ? (JSON.parse(this.#secrets.open(found.id, found.state)) as PendingSignIn) : null;
  }

  /** Consumes the `state`; true for only one of several callers. */
  async consume(state: string): Promise<boolean> {
    return (await runQuery(consumeOneTimeToken(this.#db, 'oidc', tokenDigest(state)))) !== null;
  }
}
