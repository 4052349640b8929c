import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { type EdgeConfig } from '../../config.ts';
import { type Database } from '../../store/client.ts';
import { findOidcProvider, type StoredOidcProvider } from '../../store/oidc-providers.ts';
import { findProviderOfSession } from '../../store/oidc-sessions.ts';
import { type OidcClaims } from './claims.ts';
import { verifyIdToken } from './id-token.ts';
import { type LogoutClaims, verifyLogoutToken } from './logout-token.ts';
import { toOidcError } from './oidc-error.ts';
import { OidcSignInCookie } from './oidc-sign-in-cookie.ts';
import { type PendingSignIn, PendingSignIns } from './pending-sign-ins.ts';
import { type ProviderClient, ProviderClients, type ProviderCredentials } from './provider-clients.ts';

/** Dependencies of `Oidc`. */
export interface OidcDeps {
  config: Pick<EdgeConfig, 'publicUrl' | 'oidcProviders'>;
  database: Database;
  secrets: SecretBox;
}

/** Where the browser goes after a sign-in. */
type Destination = Pick<PendingSignIn, 'redirectUri' | 'returnTo' | 'link'>;

/** A user whose identity a provider has confirmed. */
export interface VerifiedSignIn {
  provider: StoredOidcProvider;
  claims: OidcClaims;
  issuer: string;
  idToken: string;
  pending: PendingSignIn;
}

/** A verified logout of a provider. */
export interface VerifiedLogout extends LogoutClaims {
  provider: StoredOidcProvider;
  issuer: string;
}

/** Sign-ins with OpenID Connect providers: the authorization code flow with PKCE. */
export class Oidc {
  readonly #deps: OidcDeps;
  readonly #clients = new ProviderClients();
  readonly #cookie: OidcSignInCookie;
  readonly #pending: PendingSignIns;
  /** Slugs of the providers that the environment configures. */
  readonly environmentSlugs: readonly string[];

  constructor(deps: OidcDeps) {
    this.#deps = deps;
    this.#cookie = new OidcSignInCookie(deps.config);
    this.#pending = new PendingSignIns(deps.database, deps.secrets);
    this.environmentSlugs = deps.config.oidcProviders.map(({ slug }) => slug);
  }

  /**
   * Starts a sign-in; returns the URL to which the browser is redirected, and the cookie to set.
   * @throws GatewayError NOT_FOUND, OIDC_UNAVAILABLE or OIDC_REFUSED
   */
  async begin(req: IncomingMessage, slug: string, destination: Destination): Promise<{ url: string; cookie: string }> {
    const provider = await this.#find(slug);
    const { configuration } = await this.#clients.get(this.#settings(provider));
    const { digest, cookie } = this.#cookie.issue(req);
    const [verifier, nonce] = [randomPKCECodeVerifier(), randomNonce()];
    const state = await this.#pending.add({ ...destination, providerId: provider.id, browser: digest, verifier, nonce });
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: destination.redirectUri,
      scope: provider.scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, cookie };
  }

  /**
   * Finishes a sign-in with the query that the provider sent; each state can be used once.
   * @throws GatewayError NOT_FOUND, OIDC_REFUSED or OIDC_UNAVAILABLE
   */
  async finish(req: IncomingMessage, slug: string, answer: URLSearchParams): Promise<VerifiedSignIn> {
    const provider = await this.#find(slug);
    const state = answer.get('state') ?? '';
    const pending = await this.#pending.find(state);
    if (!pending || pending.providerId !== provider.id || !this.#cookie.matches(req, pending.browser)) throw notBegunHere();
    if (!(await this.#pending.consume(state))) throw notBegunHere();
    const client = await this.#clients.get(this.#settings(provider));
    try {
      return { provider, pending, issuer: client.metadata.issuer, ...(await exchange(client, provider, pending, answer, state)) };
    } catch (error) {
      throw toOidcError(error);
    }
  }

  /**
   * Verifies a logout token of a provider. Disabled providers are accepted, because their sessions continue.
   * @throws GatewayError NOT_FOUND, INVALID_REQUEST for an invalid token, or OIDC_UNAVAILABLE when the keys cannot be read
   */
  async verifyLogout(slug: string, token: string): Promise<VerifiedLogout> {
    const provider = await findOidcProvider(this.#deps.database, this.environmentSlugs, { slug });
    if (!provider) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'slug' });
    const client = await this.#clients.get(this.#settings(provider));
    try {
      return { provider, issuer: client.metadata.issuer, ...(await verifyLogoutToken(token, client)) };
    } catch (error) {
      const { condition, cause } = toOidcError(error);
      if (condition !== 'OIDC_REFUSED') throw error;
      throw new GatewayError('INVALID_REQUEST', 'the logout token is not valid', { param: 'logout_token', cause });
    }
  }

  /** Fetches the discovery document and the keys now; returns the number of keys. @throws GatewayError OIDC_UNAVAILABLE or OIDC_REFUSED */
  async test(provider: StoredOidcProvider): Promise<{ keys: number }> {
    const { keys } = await this.#clients.getUncached(this.#settings(provider));
    return { keys: (await keys.all()).keys.length };
  }

  /**
   * Returns the URL where the browser also ends its session at the provider (OpenID Connect RP-Initiated Logout 1.0); null when the session
   * was not started there, or the provider is unavailable or has no such page. Never rejects: a sign-out succeeds in any case.
   */
  async findSignOutUrl({ sessionId, userId }: { sessionId: string; userId: string }, returnUrl: string): Promise<string | null> {
    const { database, secrets } = this.#deps;
    try {
      const found = await findProviderOfSession(database, sessionId);
      const provider = found && (await findOidcProvider(database, this.environmentSlugs, { id: found.providerId }));
      if (!provider) return null;
      const { configuration, metadata } = await this.#clients.get(this.#settings(provider));
      if (metadata.end_session_endpoint === undefined) return null;
      const hint = found.idToken && secrets.open(userId, found.idToken);
      const parameters = { post_logout_redirect_uri: returnUrl, ...(hint && { id_token_hint: hint }) };
      return buildEndSessionUrl(configuration, parameters).href;
    } catch {
      return null;
    }
  }

  /** Returns an active provider. @throws GatewayError NOT_FOUND for one that is unknown or disabled */
  async #find(slug: string): Promise<StoredOidcProvider> {
    const provider = await findOidcProvider(this.#deps.database, this.environmentSlugs, { slug });
    if (provider?.status !== 'active') throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'slug' });
    return provider;
  }

  #settings({ id, slug, issuer, clientId, clientSecret, isFromEnvironment }: StoredOidcProvider): ProviderCredentials {
    const given = isFromEnvironment ? this.#deps.config.oidcProviders.find((one) => one.slug === slug)?.clientSecret : undefined;
    const stored = clientSecret && this.#deps.secrets.open(id, clientSecret);
    return { id, issuer, clientId, clientSecret: given ?? stored };
  }
}

/** Exchanges the code for tokens and verifies the ID token; reads the userinfo endpoint when claims are missing. */
async function exchange(
  client: ProviderClient,
  { groupClaim, scopes }: StoredOidcProvider,
  { redirectUri, verifier, nonce }: PendingSignIn,
  answer: URLSearchParams,
  state: string,
): Promise<{ claims: OidcClaims; idToken: string }> {
  const { configuration, metadata } = client;
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer.toString()}`), checks);
  const idToken = tokens.id_token ?? '';
  const claims = await verifyIdToken(idToken, client, nonce);
  // Providers may leave everything but the subject to the userinfo endpoint (OpenID Connect Core 1.0, section 5.4).
  const isComplete = (!scopes.includes('email') || 'email' in claims) && (groupClaim === null || groupClaim in claims);
  if (isComplete || metadata.userinfo_endpoint === undefined) return { claims, idToken };
  const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { claims: { ...more, ...claims }, idToken };
}

function notBegunHere(): GatewayError {
  return new GatewayError('OIDC_REFUSED', 'this sign-in was not begun in this browser, was used, or is over');
}
