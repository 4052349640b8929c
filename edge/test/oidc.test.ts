import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { Disposables } from '@parley/kit/lifecycle/disposables';
import { SecretBox } from '@parley/kit/secrets/secret-box';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import pg from 'pg';
import { Oidc } from '../src/identity/oidc/oidc.ts';
import { listSignInProviders } from '../src/identity/oidc/sign-in-providers.ts';
import { openDatabase, SCHEMA } from '../src/store/client.ts';
import { browserAfter } from './browser-session.ts';
import { call, captureLog, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { Browser } from './oidc-browser.ts';
import { type OidcProvider, startOidcProvider } from './oidc-provider.ts';
import { operate } from './operator.ts';
import { signInAs } from './people.ts';
import { codeOf, letFactorAge, signInWithTotp } from './second-factors.ts';
import { type SessionBody } from './visitors.ts';

interface Session {
  id: string;
  user: { id: string; display_name: string; email: string | null };
  rights: { instance_role: string | null; memberships: { workspace_id: string; role: string }[] };
  method: string;
  is_strong: boolean;
  csrf_token: string;
}

const SLUG = 'company';
const SIGN_IN = `/me/v1/sign-in/oidc/${SLUG}`;
const MAPPINGS = [
  { group: 'members', workspace_id: DEFAULT_WORKSPACE_ID, workspace_role: 'member' },
  { group: 'auditors', instance_role: 'auditor' },
];

/** The parts of an edge that stand behind no operation of this file. */
async function openParts({ config }: TestFixture) {
  const parts = new Disposables();
  const pool = parts.adopt(openPool({ url: config.databaseUrl, schema: SCHEMA, log: captureLog().log, applicationName: 'test' }), (it) =>
    it.end(),
  );
  const database = parts.adopt(openDatabase(pool), (it) => it.$disconnect());
  const oidc = new Oidc({ config, database, secrets: new SecretBox(config.secretKeys) });
  return { database, oidc, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() };
}

describe('sign-in with an OpenID Connect provider', () => {
  let fixture: TestFixture;
  let provider: OidcProvider;
  let database: pg.Client;
  let id: string;
  const at = (path: string) => `${fixture.edge.url}${path}`;

  beforeAll(async () => {
    fixture = await startFixture();
    provider = await startOidcProvider({ origin: fixture.edge.url, slug: SLUG });
    database = new pg.Client({ connectionString: fixture.config.databaseUrl });
    await database.connect();
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
    const settings = { slug: SLUG, name: 'Company', issuer, client_id, client_secret, scopes: ['openid', 'profile', 'email', 'groups'] };
    const rules = { group_claim: 'groups', role_mappings: MAPPINGS, allow_sign_up: true };
    ({ id } = await operate<{ id: string }>(fixture, 'POST', 'oidc-providers', { ...settings, ...rules }, 201));
  });
  afterAll(async () => {
    await database.end();
    await provider[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    provider.visitor = { login: 'ada' };
    provider.people.set('ada', { name: 'Ada', email: 'ada@example.com', email_verified: true, groups: ['members'] });
  });

  /** Goes to the provider and signs in there; gives the address of the callback. */
  const callbackOf = async (browser: Browser, query = '') => browser.until(at(`${SIGN_IN}${query}`), at(`${SIGN_IN}/callback`));
  const signIn = async (browser = new Browser()) => {
    expect(await browser.next(await callbackOf(browser))).toBe(at('/console/'));
    return browser;
  };
  const sessionOf = async (browser: Browser) => (await (await browser.get(at('/me/v1/session'))).json()) as Session;
  const refusal = async (browser: Browser, url: string) => {
    const response = await browser.get(url);
    return [response.status, ((await response.json()) as ErrorBody).error.code];
  };
  const count = async (sql: string, ...values: unknown[]) =>
    Number((await database.query<{ count: string }>(`SELECT count(*) FROM edge.${sql}`, values)).rows[0]?.count);

  it('begins a session of a new person, with the roles of the groups', async () => {
    const { user, rights, method, is_strong } = await sessionOf(await signIn());
    expect(user).toMatchObject({ display_name: 'Ada', email: 'ada@example.com' });
    expect(rights).toEqual({ instance_role: null, memberships: [{ workspace_id: DEFAULT_WORKSPACE_ID, role: 'member' }] });
    expect([method, is_strong]).toEqual(['oidc', false]);
    expect((await sessionOf(await signIn())).user.id).toBe(user.id);
  });

  it('takes the word of the provider for two factors', async () => {
    provider.visitor = { login: 'strong', amr: ['pwd', 'mfa'] };
    expect(await sessionOf(await signIn())).toMatchObject({ is_strong: true });
  });

  it('goes to the provider with PKCE, state, nonce and a redirect URI of the gateway, whatever the Host header says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const browser = new Browser();
    const response = await browser.get(at(SIGN_IN), headers);
    expect(response.status).toBe(302);
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'parley',
      redirect_uri: at(`${SIGN_IN}/callback`),
      scope: 'openid profile email groups',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^parley_oidc=[\w-]{43}; Max-Age=600; Path=\/me\/v1\/sign-in\/oidc; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('has the roles of the groups of each sign-in, also in sessions that are open', async () => {
    provider.visitor = { login: 'grace' };
    const person = { name: 'Grace', email: 'grace@example.com', email_verified: true };
    provider.people.set('grace', { ...person, groups: ['members', 'auditors'] });
    const first = await signIn();
    expect((await sessionOf(first)).rights).toMatchObject({ instance_role: 'auditor', memberships: [{ role: 'member' }] });
    provider.people.set('grace', { ...person, groups: [] });
    const none = { instance_role: null, memberships: [] };
    expect((await sessionOf(await signIn())).rights).toEqual(none);
    expect((await sessionOf(first)).rights).toEqual(none);
  });

  it('leaves roles alone in workspaces that no mapping names', async () => {
    provider.visitor = { login: 'lin' };
    const { user } = await sessionOf(await signIn());
    const other = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'other' }, 201);
    await database.query(`INSERT INTO edge.memberships (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`, [other.id, user.id]);
    expect((await sessionOf(await signIn())).rights.memberships).toEqual([{ workspace_id: other.id, role: 'owner' }]);
  });

  it('does not take the role of the last owner of the gateway away', async () => {
    provider.visitor = { login: 'root' };
    const { user } = await sessionOf(await signIn());
    await database.query(`UPDATE edge.users SET instance_role = 'owner' WHERE id = $1`, [user.id]);
    expect((await sessionOf(await signIn())).rights.instance_role).toBe('owner');
    const other = await signInAs(fixture, { instanceRole: 'owner' });
    expect((await sessionOf(await signIn())).rights.instance_role).toBeNull();
    await database.query(`UPDATE edge.users SET instance_role = NULL WHERE id = $1`, [other.userId]);
  });

  it('takes the same email with another subject for another person', async () => {
    const victim = await signInAs(fixture, { email: 'victim@example.com', instanceRole: 'admin' });
    provider.visitor = { login: 'visitor' };
    provider.people.set('visitor', { name: 'Victim', email: 'Victim@example.com', email_verified: true });
    const { user, rights } = await sessionOf(await signIn());
    expect(user).toMatchObject({ display_name: 'Victim', email: null });
    expect(user.id).not.toBe(victim.userId);
    expect(rights.instance_role).toBeNull();
  });

  it('does not keep an email that the provider has not verified', async () => {
    provider.visitor = { login: 'unsure' };
    provider.people.set('unsure', { email: 'unsure@example.com', email_verified: false });
    expect((await sessionOf(await signIn())).user.email).toBeNull();
  });

  it('signs only people up that the provider may, and whose domain fits', async () => {
    const set = (change: Record<string, unknown>) => operate(fixture, 'PATCH', `oidc-providers/${id}`, change);
    await set({ allowed_domains: ['example.org'] });
    for (const [login, email, email_verified, expected] of [
      ['org-1', 'a@example.org', true, 302],
      ['org-2', 'b@example.org', false, 401],
      ['com-1', 'a@example.com', true, 401],
    ] as const) {
      provider.visitor = { login };
      provider.people.set(login, { email, email_verified });
      const browser = new Browser();
      expect([login, (await browser.get(await callbackOf(browser))).status]).toEqual([login, expected]);
    }
    await set({ allow_sign_up: false, allowed_domains: [] });
    provider.visitor = { login: 'late' };
    const browser = new Browser();
    expect(await refusal(browser, await callbackOf(browser))).toEqual([401, 'OIDC_REFUSED']);
    provider.visitor = { login: 'ada' };
    await signIn();
    await set({ allow_sign_up: true });
  });

  it('makes one session of a callback that comes fifty times at once', async () => {
    const browser = new Browser();
    const callback = await callbackOf(browser);
    const before = await count('sessions');
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.get(callback)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, ...Array.from({ length: 49 }, () => 401)]);
    expect(await count('sessions')).toBe(before + 1);
    expect(await refusal(browser, callback)).toEqual([401, 'OIDC_REFUSED']);
  });

  it('makes one person of a subject that signs up twice at once', async () => {
    provider.visitor = { login: 'twice' };
    const browsers = [new Browser(), new Browser()];
    await Promise.all(browsers.map((browser) => signIn(browser)));
    expect(await count(`oidc_identities WHERE subject = 'twice'`)).toBe(1);
  });

  it('does not end in a browser in which it was not begun, and stays open in its own', async () => {
    const [victim, attacker] = [new Browser(), new Browser()];
    const callback = await callbackOf(attacker);
    expect(await refusal(victim, callback)).toEqual([401, 'OIDC_REFUSED']);
    await callbackOf(victim);
    expect(await refusal(victim, callback)).toEqual([401, 'OIDC_REFUSED']);
    expect(victim.cookie('parley_session')).toBeUndefined();
    expect(await attacker.next(callback)).toBe(at('/console/'));
  });

  it('may be begun twice in one browser', async () => {
    const browser = new Browser();
    const [first, second] = [await callbackOf(browser), await callbackOf(browser)];
    expect([await browser.next(first), await browser.next(second)]).toEqual([at('/console/'), at('/console/')]);
  });

  it('does not take the code of another sign-in', async () => {
    const [victim, attacker] = [new Browser(), new Browser()];
    const [own, foreign] = [new URL(await callbackOf(victim)), new URL(await callbackOf(attacker))];
    own.searchParams.set('code', foreign.searchParams.get('code') ?? '');
    expect(await refusal(victim, own.href)).toEqual([401, 'OIDC_REFUSED']);
  });

  it.each([
    ['another state', 'state', 'x'.repeat(43)],
    ['another issuer', 'iss', 'https://evil.example'],
    ['no issuer', 'iss', undefined],
  ])('is refused with %s', async (_what, name, value) => {
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser));
    if (value === undefined) callback.searchParams.delete(name);
    else callback.searchParams.set(name, value);
    expect(await refusal(browser, callback.href)).toEqual([401, 'OIDC_REFUSED']);
  });

  it('is over after its time', async () => {
    const browser = new Browser();
    const callback = await callbackOf(browser);
    await database.query(`UPDATE edge.one_time_tokens SET expires_at = now() WHERE kind = 'oidc' AND used_at IS NULL`);
    expect(await refusal(browser, callback)).toEqual([401, 'OIDC_REFUSED']);
  });

  it('shows errors to browsers as a page', async () => {
    const browser = new Browser({ accept: 'text/html,*/*;q=0.8', 'x-request-id': 'seen&by=me' });
    const shown = `/console/sign-in?error=OIDC_REFUSED&request_id=seen%26by%3Dme`;
    expect(await browser.next(at(`${SIGN_IN}/callback?error=access_denied&state=x`))).toBe(at(shown));
    expect(await browser.next(at('/me/v1/sign-in/oidc/unknown'))).toMatch(/error=not_found/);
  });

  it('ends at a path of the gateway, and nowhere else', async () => {
    const browser = new Browser();
    const callback = await callbackOf(browser, `?return_to=${encodeURIComponent('/console/keys?tab=mine')}`);
    expect((await browser.get(callback)).headers.get('location')).toBe('/console/keys?tab=mine');
    for (const evil of ['//evil.example', '/\\evil.example', 'https:evil.example', '/%2fevil.example', '/\r\nx', '/.//evil.example']) {
      const { status, body } = await call<ErrorBody>(at(`${SIGN_IN}?return_to=${encodeURIComponent(evil)}`));
      expect([status, body.error.param]).toEqual([422, 'return_to']);
    }
  });

  it('is refused to disabled people, and by disabled providers', async () => {
    provider.visitor = { login: 'gone' };
    const { user } = await sessionOf(await signIn());
    await operate(fixture, 'PATCH', `users/${user.id}`, { status: 'disabled' });
    const browser = new Browser();
    expect(await refusal(browser, await callbackOf(browser))).toEqual([401, 'OIDC_REFUSED']);
    const callback = await callbackOf(browser);
    await operate(fixture, 'PATCH', `oidc-providers/${id}`, { status: 'disabled' });
    expect(await refusal(browser, callback)).toEqual([404, 'not_found']);
    expect(await refusal(browser, at(SIGN_IN))).toEqual([404, 'not_found']);
    await operate(fixture, 'PATCH', `oidc-providers/${id}`, { status: 'active' });
  });

  it('goes on when the provider signs with a new key', async () => {
    await signIn();
    provider.rotate();
    await signIn();
  });

  it('says so when the provider is away, and goes on afterwards', async () => {
    const browser = new Browser();
    const callback = await callbackOf(browser);
    provider.goAway(true);
    const { status, headers, body } = await call<ErrorBody>(callback, {
      headers: { cookie: `parley_oidc=${browser.cookie('parley_oidc')}` },
    });
    expect([status, body.error.code, body.error.retryable, headers.get('retry-after')]).toEqual([503, 'OIDC_UNAVAILABLE', true, '5']);
    const test = () => operate(fixture, 'POST', `oidc-providers/${id}/test`);
    expect(await test()).toMatchObject({ ok: false, code: 'OIDC_UNAVAILABLE', keys: 0 });
    provider.goAway(false);
    expect(await test()).toEqual({ ok: true, code: null, message: expect.any(String), keys: 1 });
    await signIn();
  });

  it('replaces the session that the browser had', async () => {
    const browser = await signIn();
    const old = browser.cookie('parley_session') ?? '';
    await signIn(browser);
    expect(browser.cookie('parley_session')).not.toBe(old);
    expect((await call(at('/me/v1/session'), { headers: { cookie: `parley_session=${old}` } })).status).toBe(401);
  });

  it('is offered while the provider is active', async () => {
    await using edge = await openParts(fixture);
    const offered = () => listSignInProviders(edge.database, fixture.config);
    expect(await offered()).toEqual([{ slug: SLUG, name: 'Company', signUpDomains: [] }]);
    await operate(fixture, 'PATCH', `oidc-providers/${id}`, { status: 'disabled' });
    expect(await offered()).toEqual([]);
    await operate(fixture, 'PATCH', `oidc-providers/${id}`, { status: 'active' });
  });

  it('ends at the provider too', async () => {
    await using edge = await openParts(fixture);
    const browser = await signIn();
    const session = await sessionOf(browser);
    const back = at('/console/sign-in');
    const url = await edge.oidc.findSignOutUrl({ sessionId: session.id, userId: session.user.id }, back);
    expect(url).toMatch(`${provider.issuer}/session/end?`);
    const asked = await (await browser.get(url ?? '')).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked)?.[1] ?? '';
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await browser.send('POST', `${provider.issuer}/session/end/confirm`, form, `xsrf=${xsrf}&logout=yes`);
    expect(answer.headers.get('location')).toBe(back);

    const other = await signInAs(fixture);
    expect(await edge.oidc.findSignOutUrl(other, back)).toBeNull();
  });

  describe('identities', () => {
    const post = async (browser: Browser, path: string, method = 'POST', body?: unknown) => {
      const { csrf_token: csrf } = await sessionOf(browser);
      const headers = { origin: fixture.edge.url, 'x-csrf-token': csrf, ...(body !== undefined && { 'content-type': 'application/json' }) };
      const response = await browser.send(method, at(path), headers, body === undefined ? undefined : JSON.stringify(body));
      return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
    };
    const link = async (browser: Browser) => {
      const { body } = await post(browser, `/me/v1/identities/oidc/${SLUG}`, 'POST', { return_to: '/console/profile' });
      return browser.until((body as { url: string }).url, at(`${SIGN_IN}/callback`));
    };
    const asPerson = async () => {
      const person = await signInAs(fixture);
      const browser = new Browser();
      browser.set('127.0.0.1', 'parley_session', person.cookie.split('=')[1]);
      return { person, browser };
    };

    it('are linked by the signed-in person, who signs in with them from then on', async () => {
      provider.visitor = { login: 'linked' };
      const { person, browser } = await asPerson();
      expect(await browser.next(await link(browser))).toBe(at('/console/profile'));
      expect((await sessionOf(browser)).id).toBe(person.sessionId);
      expect((await sessionOf(await signIn())).user.id).toBe(person.userId);
      const list = (await (await browser.get(at('/me/v1/identities'))).json()) as { id: string }[];
      expect(list).toEqual([expect.objectContaining({ provider: { slug: SLUG, name: 'Company' }, subject: 'linked' })]);

      const path = `/me/v1/identities/${list[0]?.id}`;
      expect(await post(browser, path, 'DELETE')).toMatchObject({ status: 422, body: { error: { param: 'id' } } });
      const stranger = await signInAs(fixture);
      expect((await stranger.call('DELETE', path)).status).toBe(404);
      await database.query(`UPDATE edge.users SET password_hash = 'x' WHERE id = $1`, [person.userId]);
      expect((await post(browser, path, 'DELETE')).status).toBe(204);
      expect((await sessionOf(await signIn())).user.id).not.toBe(person.userId);
    });

    it('are changed by who has a second factor only just after it was shown', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const path = `/me/v1/identities/oidc/${SLUG}`;
      await letFactorAge(fixture, person);
      const code = async (method: string, at: string, body?: object) =>
        ((await person.call(method, at, body)).body as ErrorBody).error.code;
      expect(await code('POST', path, {})).toBe('SECOND_FACTOR_REQUIRED');
      expect(await code('DELETE', `/me/v1/identities/${person.userId}`)).toBe('SECOND_FACTOR_REQUIRED');
      const verified = await person.call<SessionBody>('POST', '/me/v1/second-factors/verify', { code: codeOf(secret) });
      const fresh = browserAfter(fixture.edge.url, verified, verified.body);
      expect((await fresh.call('POST', path, {})).status).toBe(200);
    });

    it('of another person are not taken over, and no other session ends what one began', async () => {
      await signIn();
      const { browser } = await asPerson();
      expect(await refusal(browser, await link(browser))).toEqual([401, 'OIDC_REFUSED']);
      provider.visitor = { login: 'nobodys' };
      const callback = await link(browser);
      browser.set('127.0.0.1', 'parley_session', (await signInAs(fixture)).cookie.split('=')[1]);
      expect(await refusal(browser, callback)).toEqual([401, 'OIDC_REFUSED']);
      expect(await count(`oidc_identities WHERE subject = 'nobodys'`)).toBe(0);
    });
  });

  it('writes no token, code or secret to the log, the audit log or another table in plain', async () => {
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser));
    await browser.get(callback.href);
    const { rows: entries } = await database.query<{ row: string }>(`SELECT row_to_json(a)::text AS row FROM edge.audit_log a`);
    expect(entries.map(({ row }) => row).join()).toContain('session.begin');
    const { rows: kept } = await database.query<{ bytes: Buffer }>(
      `SELECT id_token AS bytes FROM edge.sessions WHERE id_token IS NOT NULL
       UNION ALL SELECT client_secret FROM edge.oidc_providers
       UNION ALL SELECT state FROM edge.one_time_tokens WHERE state IS NOT NULL`,
    );
    expect(kept.length).toBeGreaterThan(2);
    const texts = [
      ...fixture.lines.map((line) => JSON.stringify(line)),
      ...entries.map(({ row }) => row),
      ...kept.map(({ bytes }) => bytes.toString('latin1')),
    ].join();
    const secrets = [
      callback.searchParams.get('code'),
      callback.searchParams.get('state'),
      browser.cookie('parley_session'),
      browser.cookie('parley_oidc'),
      provider.clientSecret,
      'eyJ',
      'verifier',
    ];
    expect(secrets.filter((secret) => texts.includes(secret ?? 'missing'))).toEqual([]);
  });
});
