import { uuidv7 } from '@parley/kit/ids/uuid';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { runQuery, type Database } from '../../store/client.ts';
import { findOneTimeToken, insertOneTimeToken, takeOneTimeToken } from '../../store/one-time-tokens.ts';
import { newToken, tokenDigest } from '../tokens.ts';
import { SIGN_IN_MS } from './browser-cookie.ts';

/** A sign-in that waits for the answer of its provider. */
export interface PendingSignIn {
  providerId: string;
  /** Digest of the cookie of its browser. */
  browser: string;
  /** Where the provider sends the browser; the same when it begins and when it ends. */
  redirectUri: string;
  /** PKCE (RFC 7636). */
  verifier: string;
  nonce: string;
  returnTo: string;
  /** The signed-in person who adds an identity, and the session; absent for a sign-in. */
  link?: { userId: string; sessionId: string };
}

/** Sign-ins that have begun, each under its `state`; encrypted, for ten minutes, used once. */
export class PendingSignIns {
  readonly #db: Database;
  readonly #secrets: SecretBox;

  constructor(db: Database, secrets: SecretBox) {
    this.#db = db;
    this.#secrets = secrets;
  }

  /** Stores one; returns its `state`. */
  async add(pending: PendingSignIn): Promise<string> {
    const [id, token] = [uuidv7(), newToken()];
    const state = Uint8Array.from(this.#secrets.seal(id, JSON.stringify(pending)));
    const expiresAt = new Date(Date.now() + SIGN_IN_MS);
    await runQuery(insertOneTimeToken(this.#db, { id, kind: 'oidc', digest: tokenDigest(token), state, expiresAt }));
    return token;
  }

  /** The one with this `state`; it stays. Null where it was used, is over, or never was. */
  async find(state: string): Promise<PendingSignIn | null> {
    const found = await findOneTimeToken(this.#db, 'oidc', tokenDigest(state));
    return found?.state ? (JSON.parse(this.#secrets.open(found.id, found.state)) as PendingSignIn) : null;
  }

  /** Uses it up: true for one of any number of callers. */
  async take(state: string): Promise<boolean> {
    return (await runQuery(takeOneTimeToken(this.#db, 'oidc', tokenDigest(state)))) !== null;
  }
}
