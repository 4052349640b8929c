import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client';
import { isLoopback } from '../../config/oidc-fields.ts';
import { toOidcError } from './oidc-error.ts';
import { PROVIDER_TIMEOUT_MS, providerFetch } from './provider-fetch.ts';
import { ProviderKeys } from './provider-keys.ts';

/** Issuer and credentials of a provider. */
export interface ProviderCredentials {
  id: string;
  issuer: string;
  clientId: string;
  /** Null for a public client, which has no secret. */
  clientSecret: string | null;
}

/** A provider whose discovery document was read: configuration, metadata and keys. */
export interface ProviderClient {
  configuration: Configuration;
  metadata: Readonly<ServerMetadata>;
  keys: ProviderKeys;
}

/** Tolerated difference between clocks, in seconds. */
export const CLOCK_TOLERANCE_S = 120;
const MAX_AGE_MS = 600_000;
const MAX_CLIENTS = 200;

interface Known {
  client: Promise<ProviderClient>;
  at: number;
}

/** Caches the discovery documents of providers for ten minutes. When a provider is unavailable, its previous document is used. */
export class ProviderClients {
  readonly #known = new LRUCache<string, Known>({ max: MAX_CLIENTS });

  /** Returns the client of a provider. @throws GatewayError OIDC_UNAVAILABLE, or OIDC_REFUSED when its document is not valid */
  async get(provider: ProviderCredentials): Promise<ProviderClient> {
    const { id, issuer, clientId, clientSecret } = provider;
    const key = hash('sha256', JSON.stringify([id, issuer, clientId, clientSecret]));
    const known = this.#known.get(key);
    if (known && Date.now() - known.at < MAX_AGE_MS) return known.client;
    const next: Known = { client: discover(provider), at: Date.now() };
    this.#known.set(key, next);
    try {
      return await next.client;
    } catch (error) {
      if (known) this.#known.set(key, { ...known, at: Date.now() });
      else if (this.#known.peek(key) === next) this.#known.delete(key);
      if (known) return known.client;
      throw error;
    }
  }

  /** Returns the client as `get` does, without the cache. */
  getUncached(provider: ProviderCredentials): Promise<ProviderClient> {
    return discover(provider);
  }
}

async function discover({ issuer, clientId, clientSecret }: ProviderCredentials): Promise<ProviderClient> {
  const url = new URL(issuer);
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  const options = {
    timeout: PROVIDER_TIMEOUT_MS / 1_000,
    [customFetch]: providerFetch,
    // Plain HTTP is allowed only for an issuer on a loopback address.
    execute: isLocal ? [allowInsecureRequests] : [],
  };
  try {
    const client = { [clockTolerance]: CLOCK_TOLERANCE_S };
    const configuration = await discovery(url, clientId, client, clientSecret === null ? None() : withSecret(clientSecret), options);
    const metadata = configuration.serverMetadata();
    // A multi-tenant document has a pattern as issuer, which does not identify who signs.
    if (new URL(metadata.issuer).href !== url.href) throw new TypeError('the document names another issuer');
    // Browsers are redirected to some of these; none may be a script URL.
    const { authorization_endpoint: authorize, token_endpoint: token, end_session_endpoint: end = authorize } = metadata;
    for (const page of [authorize, token, end]) endpoint(page, isLocal);
    return { configuration, metadata, keys: new ProviderKeys(endpoint(metadata.jwks_uri, isLocal)) };
  } catch (error) {
    throw toOidcError(error, 'the discovery document of the provider is not valid');
  }
}

/** Uses HTTP Basic, which every provider must support (RFC 6749, section 2.3.1), unless its document lists only other methods. */
function withSecret(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (as, client, body, headers) => {
    const ways = as.token_endpoint_auth_methods_supported;
    const isPost = ways !== undefined && !ways.includes('client_secret_basic') && ways.includes('client_secret_post');
    return (isPost ? post : basic)(as, client, body, headers);
  };
}

/** @throws TypeError for an endpoint that is missing or neither https nor, on this machine, http */
function endpoint(value: string | undefined, isLocal: boolean): string {
  const { protocol, href } = new URL(value ?? '');
  if (protocol === 'https:' || (isLocal && protocol === 'http:')) return href;
  throw new TypeError('an endpoint is not https');
}
