import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import { type Browser } from './oidc-browser.ts';

/** What the provider knows about a person. */
export type PersonClaims = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider on loopback, whose visitor always signs in. */
export interface OidcProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** By login name, which is the subject. */
  people: Map<string, PersonClaims>;
  /** Who signs in next, and how. */
  visitor: { login: string; amr?: string[] };
  /** Requests by path. */
  asked: Map<string, number>;
  /** Signs with another key from now on, and publishes only that. */
  rotate(): void;
  /** Answers nothing but 503 until it is called with false. */
  goAway(isAway: boolean): void;
}

/** Ends the session of a browser at the provider, as a person does who confirms it there. */
export async function endSessionAt({ issuer }: OidcProvider, browser: Browser): Promise<void> {
  const page = await (await browser.get(`${issuer}/session/end`)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await browser.send('POST', `${issuer}/session/end/confirm`, form, new URLSearchParams({ xsrf, logout: 'yes' }).toString());
  if (answer.status >= 400) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Starts a provider that knows one client: a gateway at this origin, which calls the provider by this slug. */
export async function startOidcProvider({ origin, slug }: { origin: string; slug: string }): Promise<OidcProvider> {
  let handle: (req: IncomingMessage, res: ServerResponse) => void = () => undefined;
  let isAway = false;
  const asked = new Map<string, number>();
  const server = createServer((req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    asked.set(path, (asked.get(path) ?? 0) + 1);
    if (isAway) res.writeHead(503).end();
    else handle(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['parley', randomUUID()];
  const people = new Map<string, PersonClaims>();
  const fixture: OidcProvider = {
    ...{ issuer, clientId, clientSecret, people, asked, visitor: { login: 'ada' } },
    rotate: () => {
      const at = `${origin}/me/v1/sign-in/oidc/${slug}`;
      const client = {
        ...{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${at}/callback`] },
        post_logout_redirect_uris: [`${origin}/console/sign-in`],
        ...{ backchannel_logout_uri: `${at}/back-channel-logout`, backchannel_logout_session_required: true },
      };
      handle = handlerOf(issuer, { ...settings(people), clients: [client] }, fixture);
    },
    goAway: (away) => void (isAway = away),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  fixture.rotate();
  return fixture;
}

function settings(people: OidcProvider['people']): Configuration {
  return {
    jwks: { keys: [newKey()] },
    cookies: { keys: ['for-tests'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // Neither its guard against addresses on loopback, nor its deadline of seconds.
    fetch: (url, { method, headers, body } = {}) =>
      fetch(url, { ...(method && { method }), ...(headers && { headers }), ...(body && { body }), redirect: 'manual' }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    // No consent is requested.
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc;
      const clientId = client?.clientId ?? '';
      const known = session?.grantIdFor(clientId);
      if (known) return provider.Grant.find(known);
      const grant = new provider.Grant({ clientId, accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  };
}

function handlerOf(issuer: string, configuration: Configuration, fixture: OidcProvider) {
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  return (req: IncomingMessage, res: ServerResponse): void => {
    if (!req.url?.startsWith('/interaction/')) return void answer(req, res);
    const { login, amr } = fixture.visitor;
    provider
      .interactionFinished(req, res, { login: { accountId: login, ...(amr && { amr }) } })
      .catch((error: unknown) => res.writeHead(500).end(String(error)));
  };
}

function newKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}
