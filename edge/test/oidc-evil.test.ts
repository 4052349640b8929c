import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { type EvilProvider, type Malice, startEvilProvider } from './evil-provider.ts';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { Browser } from './oidc-browser.ts';
import { operate } from './operator.ts';

const MINUTE = 60;
const now = () => Math.floor(Date.now() / 1_000);

describe('an OpenID Connect provider that answers what it should not', () => {
  let fixture: TestFixture;
  let evil: EvilProvider;
  beforeAll(async () => {
    fixture = await startFixture();
    evil = await startEvilProvider();
    await add('evil', evil);
  });
  afterAll(async () => {
    await evil[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    evil.malice = {};
  });

  const add = (slug: string, { issuer }: EvilProvider) =>
    operate(
      fixture,
      'POST',
      'oidc-providers',
      { slug, name: 'Evil', issuer, client_id: 'parley', client_secret: 'shared', allow_sign_up: true },
      201,
    );
  /** Begins a sign-in, and comes back with a code that the provider takes. */
  const comeBack = async (malice: Malice, slug = 'evil', provider = evil) => {
    provider.malice = malice;
    const browser = new Browser();
    const begin = `${fixture.edge.url}/me/v1/sign-in/oidc/${slug}`;
    const { searchParams } = new URL(await browser.next(begin));
    provider.nonce = searchParams.get('nonce') ?? '';
    const response = await browser.get(`${begin}/callback?code=c&state=${searchParams.get('state')}`);
    const text = await response.text();
    const code = text === '' ? undefined : (JSON.parse(text) as ErrorBody).error.code;
    return { status: response.status, code, hasSession: browser.cookie('parley_session') !== undefined };
  };
  const REFUSED = { status: 401, code: 'OIDC_REFUSED', hasSession: false };
  const TAKEN = { status: 302, code: undefined, hasSession: true };

  it('is believed as long as everything is right', async () => {
    expect(await comeBack({})).toEqual(TAKEN);
    expect(evil.exchanges.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(evil.exchanges.at(-1)?.has('client_secret')).toBe(false);
  });

  it.each<[string, () => Malice]>([
    ['of another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
    ['for another audience', () => ({ claims: { aud: 'another-client' } })],
    ['for another party of several', () => ({ claims: { aud: ['parley', 'other'], azp: 'other' } })],
    ['of another sign-in', () => ({ claims: { nonce: 'another' } })],
    ['of no sign-in', () => ({ claims: { nonce: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['with a subject that is too long', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['that is over', () => ({ claims: { exp: now() - 3 * MINUTE } })],
    ['that never ends', () => ({ claims: { exp: undefined } })],
    ['that is for later', () => ({ claims: { nbf: now() + 3 * MINUTE } })],
    ['without signature', () => ({ token: (claims) => new UnsecuredJWT(claims).encode() })],
    ['signed with the public key', () => ({ token: (claims, { publicPem }) => hs256(claims, publicPem) })],
    ['signed with the secret of the client', () => ({ token: (claims) => hs256(claims, 'shared') })],
    ['signed with an unknown key', () => ({ token: (claims, { sign }) => sign(claims, 'unknown') })],
    ['that was changed', () => ({ token: async (claims, { sign }) => changed(await sign(claims)) })],
    ['that is none', () => ({ token: () => 'token' })],
    ['that is missing', () => ({ answer: { status: 200, body: '{"access_token": "a", "token_type": "Bearer"}' } })],
    ['in an answer that is no JSON', () => ({ answer: { status: 200, body: 'token' } })],
    ['in a refusal', () => ({ answer: { status: 400, body: '{"error": "invalid_grant", "id_token": "x"}' } })],
  ])('is not believed with an ID token %s', async (_what, malice) => {
    const before = fixture.lines.length;
    expect(await comeBack(malice())).toEqual(REFUSED);
    const line = fixture.lines.slice(before).find(({ msg }) => msg === 'sign-in at a provider refused');
    expect(line).toMatchObject({ requestId: expect.any(String), reason: expect.any(String), err: expect.anything() });
    expect(JSON.stringify(fixture.lines)).not.toMatch(/eyJ|code_verifier|mallory/);
  });

  it('may take a code as often as it likes: a sign-in ends once, also when fifty come back at once', async () => {
    evil.malice = {};
    const browser = new Browser();
    const begin = `${fixture.edge.url}/me/v1/sign-in/oidc/evil`;
    const { searchParams } = new URL(await browser.next(begin));
    evil.nonce = searchParams.get('nonce') ?? '';
    const before = evil.exchanges.length;
    const callback = `${begin}/callback?code=c&state=${searchParams.get('state')}`;
    const connect = () => Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${fixture.edge.url}/health/live`)).text()));
    // The connections are open, so that no request comes long before the others.
    await connect();
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await browser.get(callback)).status));
    expect(statuses.toSorted()).toEqual([302, ...Array.from({ length: 49 }, () => 401)]);
    expect(evil.exchanges).toHaveLength(before + 1);
  });

  it.each([
    ['over for less than two minutes', () => ({ exp: now() - 100 })],
    ['valid in less than two minutes', () => ({ nbf: now() + 100, iat: now() + 100 })],
  ])('may have another clock: %s', async (_what, claims) => {
    expect(await comeBack({ claims: claims() })).toEqual(TAKEN);
  });

  it.each([
    ['fails', { status: 500, body: 'no' }],
    ['never ends', { status: 200, body: `{"access_token": "${'x'.repeat(600_000)}"}` }],
  ])('is away when its answer %s', async (_what, answer) => {
    expect(await comeBack({ answer })).toEqual({ status: 503, code: 'OIDC_UNAVAILABLE', hasSession: false });
  });

  it('is asked for its keys once more for tokens of unknown keys, however many come', async () => {
    await using other = await startEvilProvider();
    await add('unknown-keys', other);
    const unknown: Malice = { token: (claims, { sign }) => sign(claims, 'unknown') };
    for (let round = 0; round < 3; round++) expect(await comeBack(unknown, 'unknown-keys', other)).toEqual(REFUSED);
    expect(other.asked.get('/jwks')).toBe(2);
    expect(other.asked.get('/.well-known/openid-configuration')).toBe(1);
  });

  it.each<[string, Malice['metadata'], string]>([
    ['another issuer', { issuer: 'https://elsewhere.example' }, 'OIDC_REFUSED'],
    ['keys of no web address', { jwks_uri: 'file:///etc/passwd' }, 'OIDC_REFUSED'],
    ['a page that is a script', { authorization_endpoint: 'javascript:alert(1)' }, 'OIDC_REFUSED'],
  ])('is not gone to when its document names %s', async (what, metadata, code) => {
    await using other = await startEvilProvider();
    const slug = what.replaceAll(' ', '-');
    await add(slug, other);
    other.malice = { metadata: metadata ?? {} };
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/me/v1/sign-in/oidc/${slug}`);
    expect([status, body.error.code]).toEqual([401, code]);
  });

  it('is away where nothing answers', async () => {
    await add('unreachable', { ...evil, issuer: 'http://127.0.0.1:1' });
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/me/v1/sign-in/oidc/unreachable`);
    expect([status, body.error.code, body.error.retryable]).toEqual([503, 'OIDC_UNAVAILABLE', true]);
  });
});

function hs256(claims: JWTPayload, secret: string) {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
}

/** The same token for another subject. */
function changed(token: string): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  return [head, Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url'), signature].join('.');
}
