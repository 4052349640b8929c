import { GatewayError } from '@parley/protos/errors';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { providerFetch } from './provider-fetch.ts';

/** Longest use of fetched keys, in milliseconds; withdrawn keys are rejected after it. */
const MAX_AGE_MS = 600_000;
/** Shortest interval between two fetches because of unknown keys, in milliseconds. */
const AGAIN_MS = 10_000;

/** Caches the public keys of a provider for ten minutes, and fetches them again when a token names an unknown key, as after a rotation. */
export class ProviderKeys {
  readonly #url: string;
  #keys: Promise<JSONWebKeySet> | undefined;
  #fetchedAt = 0;
  #askedAgainAt = Number.NEGATIVE_INFINITY;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the key of a token. @throws GatewayError OIDC_UNAVAILABLE; an error of jose when no key matches */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = await this.all();
    try {
      return await createLocalJWKSet(known)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayAskAgain()) throw error;
      this.#keys = undefined;
      return createLocalJWKSet(await this.all())(header, token);
    }
  };

  /** Returns all keys. @throws GatewayError OIDC_UNAVAILABLE */
  all(): Promise<JSONWebKeySet> {
    const now = Date.now();
    if (this.#keys && now - this.#fetchedAt < MAX_AGE_MS) return this.#keys;
    this.#fetchedAt = now;
    const asked = ask(this.#url);
    this.#keys = asked;
    asked.catch(() => {
      if (this.#keys === asked) this.#keys = undefined;
    });
    return asked;
  }

  #mayAskAgain(): boolean {
    const now = Date.now();
    if (now - this.#askedAgainAt < AGAIN_MS) return false;
    this.#askedAgainAt = now;
    return true;
  }
}

async function ask(url: string): Promise<JSONWebKeySet> {
  const options = { method: 'GET', headers: { accept: 'application/json' }, body: undefined, redirect: 'manual' } as const;
  const response = await providerFetch(url, options);
  const body: unknown = response.status === 200 ? await response.json().catch(() => undefined) : undefined;
  if (typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys)) return body as JSONWebKeySet;
  throw new GatewayError('OIDC_UNAVAILABLE', 'the keys of the provider cannot be read');
}
