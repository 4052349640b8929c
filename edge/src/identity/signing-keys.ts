import { type Logger } from '@parley/kit/log/logger';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { calculateJwkThumbprint } from 'jose';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type PublicJwk, type StoredSigningKey } from '../store/signing-keys.ts';

/** Dependencies of `SigningKeys`: the stored keys and their encryption. */
export interface SigningKeysDeps {
  list: () => Promise<StoredSigningKey[]>;
  add: (make: (stored: readonly StoredSigningKey[]) => StoredSigningKey | undefined) => Promise<StoredSigningKey[]>;
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  log: Logger;
  now?: () => number;
}

/** A public key as it is published in the key set (RFC 7517). */
export type PublishedKey = PublicJwk & { kid: string; alg: 'EdDSA'; use: 'sig' };

interface LoadedKey {
  id: string;
  publicJwk: PublicJwk;
  publicKey: KeyObject;
  /** Absent when it was encrypted with a key that this edge does not have. */
  privateKey: KeyObject | undefined;
  signsUntil: number;
  expiresAt: number;
}

const DAY_MS = 86_400_000;
/** How long a key signs, in milliseconds. */
export const SIGNING_PERIOD_MS = 30 * DAY_MS;
/** How long before its end the next key is created and published, in milliseconds. */
export const SUCCESSOR_LEAD_MS = DAY_MS;
/** How long a key verifies after it stopped signing, in milliseconds: longer than the lifetime of a token plus clock differences. */
export const VERIFICATION_GRACE_MS = 3_600_000;
/** Longest delay, in milliseconds, until the changes of another edge are seen. */
const REFRESH_MS = 60_000;
/** Limit of the table reads that tokens with unknown keys can cause. */
const READS_FOR_UNKNOWN = { most: 20, withinMs: 10_000 };

/**
 * The keys that sign and verify the tokens of the control plane. All edges share them in the database, with the private halves encrypted.
 */
export class SigningKeys {
  readonly #deps: SigningKeysDeps;
  readonly #now: () => number;
  #reads = { count: 0, endsAt: 0 };
  #keys: readonly LoadedKey[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(deps: SigningKeysDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
  }

  /**
   * Returns the key that signs now; creates it when there is none, and its successor before it ends.
   * @throws GatewayError SERVICE_UNAVAILABLE
   */
  async getSigningKey(): Promise<{ id: string; key: KeyObject }> {
    await this.#refresh();
    if (!this.#hasSuccessor(this.#keys)) await this.#add();
    for (const { id, privateKey, signsUntil } of this.#keys) if (privateKey && signsUntil > this.#now()) return { id, key: privateKey };
    throw new Error('no signing key could be made');
  }

  /** Returns the public key with this id; undefined for an unknown or expired one. @throws GatewayError SERVICE_UNAVAILABLE */
  async findVerificationKey(id: string): Promise<KeyObject | undefined> {
    await this.#refresh();
    // Another edge may have created it just now.
    if (!this.#find(id) && this.#mayRead()) await this.#load();
    return this.#find(id)?.publicKey;
  }

  /** Returns the public keys that verify now, for the published key set. */
  async listPublishedKeys(): Promise<PublishedKey[]> {
    await this.#refresh();
    const now = this.#now();
    return this.#keys
      .filter(({ expiresAt }) => expiresAt > now)
      .map(({ id, publicJwk: { kty, crv, x } }) => ({ kty, crv, x, kid: id, alg: 'EdDSA', use: 'sig' }));
  }

  #find(id: string): LoadedKey | undefined {
    return this.#keys.find((key) => key.id === id && key.expiresAt > this.#now());
  }

  #mayRead(): boolean {
    const now = performance.now();
    if (now >= this.#reads.endsAt) this.#reads = { count: 0, endsAt: now + READS_FOR_UNKNOWN.withinMs };
    return this.#reads.count++ < READS_FOR_UNKNOWN.most;
  }

  /** True when a key that this edge can use signs for longer than `SUCCESSOR_LEAD_MS`. */
  #hasSuccessor(keys: readonly LoadedKey[]): boolean {
    return keys.some(({ privateKey, signsUntil }) => privateKey && signsUntil > this.#now() + SUCCESSOR_LEAD_MS);
  }

  async #refresh(): Promise<void> {
    if (performance.now() - this.#readAt < REFRESH_MS) return;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    await this.#loading;
  }

  async #load(): Promise<void> {
    this.#take(await this.#deps.list());
  }

  async #add(): Promise<void> {
    const made = await makeKey(this.#deps.secrets);
    const add = (stored: readonly StoredSigningKey[]): StoredSigningKey | undefined => {
      const loaded = stored.map((key) => this.#toLoaded(key));
      if (this.#hasSuccessor(loaded)) return undefined;
      const signing = loaded.filter(({ privateKey }) => privateKey).map(({ signsUntil }) => signsUntil);
      const signsUntil = Math.max(this.#now(), ...signing) + SIGNING_PERIOD_MS;
      return { ...made, signsUntil: new Date(signsUntil), expiresAt: new Date(signsUntil + VERIFICATION_GRACE_MS) };
    };
    this.#take(await this.#deps.add(add));
  }

  #take(stored: readonly StoredSigningKey[]): void {
    this.#keys = stored.map((key) => this.#toLoaded(key)).sort((a, b) => a.signsUntil - b.signsUntil);
    this.#readAt = performance.now();
  }

  #toLoaded({ id, publicJwk, privateJwk, signsUntil, expiresAt }: StoredSigningKey): LoadedKey {
    const known = this.#keys.find((key) => key.id === id);
    return {
      ...{ id, publicJwk, signsUntil: signsUntil.getTime(), expiresAt: expiresAt.getTime() },
      publicKey: known?.publicKey ?? createPublicKey({ key: { ...publicJwk }, format: 'jwk' }),
      privateKey: known?.privateKey ?? this.#open(id, privateJwk),
    };
  }

  #open(id: string, privateJwk: Uint8Array): KeyObject | undefined {
    try {
      const jwk = JSON.parse(this.#deps.secrets.open(id, privateJwk)) as Record<string, string>;
      return createPrivateKey({ key: jwk, format: 'jwk' });
    } catch (err) {
      this.#deps.log.warn({ err, kid: id }, 'a signing key cannot be decrypted with PARLEY_SECRET_KEYS; it only verifies');
      return undefined;
    }
  }
}

async function makeKey(secrets: SigningKeysDeps['secrets']): Promise<Pick<StoredSigningKey, 'id' | 'publicJwk' | 'privateJwk'>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicJwk = publicKey.export({ format: 'jwk' }) as unknown as PublicJwk;
  const id = await calculateJwkThumbprint({ ...publicJwk });
  const privateJwk = Uint8Array.from(secrets.seal(id, JSON.stringify(privateKey.export({ format: 'jwk' }))));
  return { id, publicJwk, privateJwk };
}
