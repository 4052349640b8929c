import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { type EvilProvider, startEvilProvider } from './evil-provider.ts';
import { type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { Browser } from './oidc-browser.ts';
import { endSessionAt, type OidcProvider, startOidcProvider } from './oidc-provider.ts';
import { operate } from './operator.ts';
import { sql } from './visitors.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MINUTE = 60;
const now = () => Math.floor(Date.now() / 1_000);

describe('a logout that a provider tells of', () => {
  let fixture: TestFixture;
  let company: OidcProvider;
  let evil: EvilProvider;
  let jti = 0;
  const at = (path: string) => `${fixture.edge.url}${path}`;
  beforeAll(async () => {
    fixture = await startFixture();
    company = await startOidcProvider({ origin: fixture.edge.url, slug: 'company' });
    evil = await startEvilProvider();
    await add('company', company.issuer, company.clientSecret);
    await add('evil', evil.issuer, 'shared');
  });
  afterAll(async () => {
    await evil[Symbol.asyncDispose]();
    await company[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const add = (slug: string, issuer: string, client_secret: string) =>
    operate<{ id: string }>(
      fixture,
      'POST',
      'oidc-providers',
      { slug, name: slug, issuer, client_id: 'parley', client_secret, allow_sign_up: true },
      201,
    );
  const isSignedIn = async (browser: Browser) => (await browser.get(at('/me/v1/session'))).status === 200;
  const sessionIdOf = async (browser: Browser) => ((await (await browser.get(at('/me/v1/session'))).json()) as { id: string }).id;

  /** Begins a sign-in with the evil provider, and says how it ends when the browser comes back with these claims. */
  const begin = async (claims: JWTPayload = {}) => {
    const browser = new Browser();
    const { searchParams } = new URL(await browser.next(at('/me/v1/sign-in/oidc/evil')));
    const comeBack = async () => {
      evil.malice = { claims };
      evil.nonce = searchParams.get('nonce') ?? '';
      return (await browser.get(at(`/me/v1/sign-in/oidc/evil/callback?code=c&state=${searchParams.get('state')}`))).status;
    };
    return { browser, comeBack };
  };
  const signIn = async (claims: JWTPayload = {}) => {
    const { browser, comeBack } = await begin(claims);
    expect(await comeBack()).toBe(302);
    return browser;
  };
  const right = () => ({ iss: evil.issuer, aud: 'parley', iat: now() - 5, jti: `logout-${(jti += 1)}`, events: { [EVENT]: {} } });
  const send = (body: string, { slug = 'evil', headers = {} } = {}) =>
    fetch(at(`/me/v1/sign-in/oidc/${slug}/back-channel-logout`), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });
  const logOut = async (claims: JWTPayload, typ?: string) => {
    const token = await evil.keys.sign({ ...right(), ...claims }, undefined, typ);
    return send(new URLSearchParams({ logout_token: token }).toString());
  };

  it('ends what was begun with the session at the provider, and nothing else', async () => {
    const [ended, other] = [new Browser(), new Browser()];
    for (const browser of [ended, other]) {
      const begun = await browser.until(at('/me/v1/sign-in/oidc/company'), at('/me/v1/sign-in/oidc/company/callback'));
      expect(await browser.next(begun)).toBe(at('/console/'));
    }
    const id = await sessionIdOf(ended);
    await endSessionAt(company, ended);
    await waitFor(async () => !(await isSignedIn(ended)));
    expect(await isSignedIn(other)).toBe(true);
    const entries = await sql(fixture, `SELECT action, actor, details FROM edge.audit_log WHERE target_id = $1 ORDER BY seq`, [id]);
    expect(entries.at(-1)).toEqual({
      action: 'session.end',
      actor: 'system',
      details: { provider: 'company', user: expect.any(String) },
    });
  });

  it('ends one session by its sid, and with the subject alone all of the person there', async () => {
    const [first, second, third] = [await signIn({ sid: 'a' }), await signIn({ sid: 'b' }), await signIn({ sub: 'other', sid: 'c' })];
    const answer = await logOut({ sid: 'a' }, 'logout+jwt');
    expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([200, '', 'no-store']);
    expect(await Promise.all([first, second, third].map(isSignedIn))).toEqual([false, true, true]);
    // A sid of another user.
    expect((await logOut({ sub: 'mallory', sid: 'c' })).status).toBe(200);
    expect((await logOut({ sub: 'mallory' })).status).toBe(200);
    expect(await Promise.all([second, third].map(isSignedIn))).toEqual([false, true]);
  });

  it('leaves sessions of other providers and ways alone, whose subject is the same', async () => {
    company.visitor = { login: 'mallory' };
    const browser = new Browser();
    await browser.next(await browser.until(at('/me/v1/sign-in/oidc/company'), at('/me/v1/sign-in/oidc/company/callback')));
    expect((await logOut({ sub: 'mallory' })).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('counts once', async () => {
    const token = await evil.keys.sign({ ...right(), sub: 'twice' });
    const body = new URLSearchParams({ logout_token: token }).toString();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
    const browser = await signIn({ sub: 'twice' });
    expect((await send(body)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('also ends a sign-in that was on its way', async () => {
    const { browser, comeBack } = await begin({ sid: 'on-its-way' });
    expect((await logOut({ sub: 'mallory', sid: 'on-its-way' })).status).toBe(200);
    expect(await comeBack()).toBe(401);
    const later = await begin({ sub: 'late' });
    expect((await logOut({ sub: 'late', iat: now() + 1 })).status).toBe(200);
    expect(await later.comeBack()).toBe(401);
    expect(await Promise.all([browser, later.browser].map(isSignedIn))).toEqual([false, false]);
  });

  it('leaves no session when it comes together with the sign-in', async () => {
    for (let round = 0; round < 10; round += 1) {
      const sid = `together-${round}`;
      const { browser, comeBack } = await begin({ sid });
      const [, { status }] = await Promise.all([comeBack(), logOut({ sub: 'mallory', sid })]);
      expect([status, await isSignedIn(browser)]).toEqual([200, false]);
    }
  });

  it('is taken from a provider that is disabled, whose sessions go on', async () => {
    const browser = await signIn({ sub: 'disabled', sid: 'd' });
    const { id } = (await operate<{ id: string; slug: string }[]>(fixture, 'GET', 'oidc-providers')).find(
      ({ slug }) => slug === 'evil',
    ) ?? { id: '' };
    await operate(fixture, 'PATCH', `oidc-providers/${id}`, { status: 'disabled' });
    expect((await logOut({ sid: 'd' })).status).toBe(200);
    await operate(fixture, 'PATCH', `oidc-providers/${id}`, { status: 'active' });
    expect(await isSignedIn(browser)).toBe(false);
  });

  it.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
    ['of another issuer', (claims) => evil.keys.sign({ ...claims, iss: 'https://elsewhere.example' })],
    ['for another audience', (claims) => evil.keys.sign({ ...claims, aud: 'another-client' })],
    ['that is old', (claims) => evil.keys.sign({ ...claims, iat: now() - 13 * MINUTE })],
    ['of the future', (claims) => evil.keys.sign({ ...claims, iat: now() + 3 * MINUTE })],
    ['that is over', (claims) => evil.keys.sign({ ...claims, exp: now() - 3 * MINUTE })],
    ['without a time', (claims) => evil.keys.sign(without(claims, 'iat'))],
    ['without jti', (claims) => evil.keys.sign(without(claims, 'jti'))],
    ['with an empty jti', (claims) => evil.keys.sign({ ...claims, jti: '' })],
    ['without an event', (claims) => evil.keys.sign(without(claims, 'events'))],
    ['with another event', (claims) => evil.keys.sign({ ...claims, events: { 'http://schemas.openid.net/event/other': {} } })],
    ['with an event that is no object', (claims) => evil.keys.sign({ ...claims, events: { [EVENT]: 'yes' } })],
    ['with a nonce, as an ID token has', (claims) => evil.keys.sign({ ...claims, nonce: 'n' })],
    ['without sub and sid', (claims) => evil.keys.sign(without(claims, 'sub', 'sid'))],
    ['with a sid that is no text', (claims) => evil.keys.sign({ ...claims, sid: 5 })],
    ['with a subject that holds U+0000', (claims) => evil.keys.sign({ ...claims, sub: 'a\u0000' })],
    ['of another type', (claims) => evil.keys.sign(claims, undefined, 'at+jwt')],
    ['signed with an unknown key', (claims) => evil.keys.sign(claims, 'unknown')],
    ['signed with the secret of the client', (claims) => hs256(claims, 'shared')],
    ['signed with the public key', (claims) => hs256(claims, evil.keys.publicPem)],
    ['without signature', (claims) => new UnsecuredJWT(claims).encode()],
    ['that is none', () => 'token'],
  ])('is refused with a token %s', async (_what, make) => {
    const browser = await signIn({ sub: 'refused', sid: 'r' });
    const logged = fixture.lines.length;
    const token = await make({ ...right(), sub: 'refused', sid: 'r' });
    const answer = await send(new URLSearchParams({ logout_token: token }).toString());
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, error.code, error.message]).toEqual([400, 'INVALID_REQUEST', 'the logout token is not valid']);
    expect(await isSignedIn(browser)).toBe(true);
    const lines = fixture.lines.slice(logged);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'logout by a provider refused', reason: expect.any(String) }));
    if (token.length > 10) expect(JSON.stringify(lines)).not.toContain(token.slice(0, 100));
  });

  it.each([
    ['nothing', '', {}, 422],
    ['another field', 'token=x', {}, 422],
    ['the field twice', 'logout_token=a&logout_token=b', {}, 422],
    ['bytes that are not UTF-8', 'logout_token=%ff', {}, 422],
    ['JSON', '{"logout_token": "x"}', { headers: { 'content-type': 'application/json' } }, 415],
    ['too much', `logout_token=${'x'.repeat(70_000)}`, {}, 413],
    ['an unknown provider', 'logout_token=x', { slug: 'unknown' }, 404],
  ])('is refused with %s', async (_what, body, how, status) => {
    expect((await send(body, how)).status).toBe(status);
  });

  it('waits for the keys: an unreachable provider is not trusted, and receives an error', async () => {
    await using away = await startOidcProvider({ origin: fixture.edge.url, slug: 'away' });
    await add('away', away.issuer, 's');
    away.goAway(true);
    const { status, headers } = await send('logout_token=eyJhbGciOiJSUzI1NiJ9.e30.AAAA', { slug: 'away' });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });
});

function without(claims: JWTPayload, ...names: string[]): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}

function hs256(claims: JWTPayload, secret: string): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
}
