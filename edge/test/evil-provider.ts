import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What of its answers is wrong. */
export interface Malice {
  /** Claims in place of the right ones; undefined leaves one out. */
  claims?: Readonly<Record<string, unknown>>;
  /** Makes the ID token; signed with the published key by default. */
  token?: (claims: JWTPayload, keys: EvilKeys) => Promise<string> | string;
  /** Fields of the discovery document. */
  metadata?: Readonly<Record<string, unknown>>;
  /** What the token endpoint answers with, in place of tokens. */
  answer?: { status: number; body: string };
}

/** Its key, and how it is published. */
export interface EvilKeys {
  sign: (claims: JWTPayload, kid?: string, typ?: string) => Promise<string>;
  publicPem: string;
}

/** A provider that answers what a test wants; no user signs in there. */
export interface EvilProvider extends AsyncDisposable {
  issuer: string;
  malice: Malice;
  keys: EvilKeys;
  /** The nonce of the sign-in that is about to end. */
  nonce: string;
  /** Requests by path. */
  asked: Map<string, number>;
  /** Bodies that the token endpoint was sent. */
  exchanges: URLSearchParams[];
}

/** Starts one. */
export async function startEvilProvider(): Promise<EvilProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig' };
  const keys: EvilKeys = {
    sign: (claims, id = kid, typ?: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: id, ...(typ !== undefined && { typ }) }).sign(privateKey),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
  const asked = new Map<string, number>();
  const server = createServer((req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const json = (body: unknown) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/.well-known/openid-configuration') return void json({ ...document(fixture.issuer), ...fixture.malice.metadata });
    if (path === '/jwks') return void json({ keys: [jwk] });
    void text(req).then(async (body) => {
      fixture.exchanges.push(new URLSearchParams(body));
      const { answer } = fixture.malice;
      if (answer) res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      else json({ access_token: 'a', token_type: 'Bearer', id_token: await idToken(fixture, keys) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fixture: EvilProvider = {
    ...{ issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, malice: {}, keys, nonce: '', asked, exchanges: [] },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fixture;
}

function document(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
}

function idToken({ issuer, nonce, malice }: EvilProvider, keys: EvilKeys): Promise<string> | string {
  const now = Math.floor(Date.now() / 1_000);
  const right = { iss: issuer, aud: 'parley', sub: 'mallory', nonce, iat: now, exp: now + 60, email: 'mallory@example.com' };
  const claims = { ...right, ...malice.claims };
  return (malice.token ?? ((all: JWTPayload) => keys.sign(all)))(claims, keys);
}
