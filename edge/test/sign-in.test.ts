import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createTestDatabase } from '@parley/kit/testing/database';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { PasswordHasher } from '../src/identity/password-hasher.ts';
import { ACCOUNT_DELAY_POLICY } from '../src/identity/sign-in-delay.ts';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { cookieOf, PASSWORD, type SessionBody, sql, tally, visit, withPassword } from './visitors.ts';

const WRONG = 'not the password at all';

describe('sign-in with a password', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await sql(fixture, 'TRUNCATE edge.sign_in_failures');
  });

  const signIn = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
    visit<SessionBody & ErrorBody>(fixture, 'POST', '/me/v1/sign-in', { email, password }, headers);
  const sessionWith = (cookie: string) => call<SessionBody & ErrorBody>(`${fixture.edge.url}/me/v1/session`, { headers: { cookie } });

  it('opens a session, whatever the spelling of the email', async () => {
    const { email, userId } = await withPassword(fixture);
    const answer = await signIn(` ${email.toUpperCase()} `);
    expect([answer.status, answer.body.user.id, answer.headers.get('cache-control')]).toEqual([200, userId, 'no-store']);
    expect(answer.headers.get('set-cookie')).toMatch(/^parley_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await sessionWith(cookieOf(answer))).body).toMatchObject({ id: answer.body.id, csrf_token: answer.body.csrf_token });
    const audit = await sql(fixture, `SELECT actor, actor_id, details FROM edge.audit_log WHERE target_id = $1`, [answer.body.id]);
    expect(audit).toEqual([{ actor: 'user', actor_id: userId, details: { method: 'password', is_strong: false } }]);
  });

  it('takes over no session that a browser came with', async () => {
    const { email } = await withPassword(fixture);
    const planted = `parley_session=${'p'.repeat(43)}`;
    const first = await signIn(email, PASSWORD, { cookie: planted });
    expect(cookieOf(first)).not.toBe(planted);
    expect((await sessionWith(planted)).status).toBe(401);
    const second = await signIn(email, PASSWORD, { cookie: cookieOf(first) });
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    expect([(await sessionWith(cookieOf(first))).status, (await sessionWith(cookieOf(second))).status]).toEqual([401, 200]);
  });

  it('says and does the same for everybody who does not get in', async () => {
    const verify = jest.spyOn(PasswordHasher.prototype, 'verify');
    const [known, disabled, passwordless] = await Promise.all([withPassword(fixture), withPassword(fixture), withPassword(fixture)]);
    await sql(fixture, `UPDATE edge.users SET status = 'disabled' WHERE id = $1`, [disabled.userId]);
    await sql(fixture, `UPDATE edge.users SET password_hash = NULL WHERE id = $1`, [passwordless.userId]);
    const attempts = [[known.email, WRONG], [disabled.email], [passwordless.email], ['unknown@example.com']] as const;
    const answers = [];
    for (const [email, password] of attempts) answers.push(await signIn(email, password));
    const said = answers.map(({ status, body, headers }) => ({
      ...{ status, ...body.error, request_id: '' },
      headers: [...headers.keys()].toSorted(),
    }));
    expect(said[0]).toMatchObject({ status: 401, code: 'SIGN_IN_FAILED' });
    for (const one of said) expect(one).toEqual(said[0]);
    expect(verify).toHaveBeenCalledTimes(attempts.length);
    expect(verify.mock.calls.map(([stored]) => stored === null)).toEqual([false, true, true, true]);
    verify.mockRestore();
  });

  it('lets only a few of many guesses at once through, and none before the delay is over', async () => {
    const { email } = await withPassword(fixture);
    const verify = jest.spyOn(PasswordHasher.prototype, 'verify');
    const guesses = await Promise.all(Array.from({ length: 50 }, (_, at) => signIn(email, `${WRONG} ${at}`)));
    // A guess that waited longer than the first delay may be let through, too.
    const verified = verify.mock.calls.length;
    verify.mockRestore();
    expect(verified).toBeGreaterThanOrEqual(ACCOUNT_DELAY_POLICY.freeAttempts);
    expect(verified).toBeLessThan(ACCOUNT_DELAY_POLICY.freeAttempts + 5);
    expect(tally(guesses)).toEqual({ '401 SIGN_IN_FAILED': verified, '429 SIGN_IN_DELAYED': 50 - verified });

    await sql(fixture, `DELETE FROM edge.sign_in_failures WHERE key LIKE 'network:%'`);
    await sql(fixture, `UPDATE edge.sign_in_failures SET next_at = now() + interval '40 s'`);
    const refused = await signIn(email);
    expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([429, 'SIGN_IN_DELAYED', true]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    await sql(fixture, 'UPDATE edge.sign_in_failures SET next_at = now()');
    expect((await signIn(email)).status).toBe(200);
    expect(await sql(fixture, `SELECT FROM edge.sign_in_failures WHERE key LIKE 'account:%'`)).toEqual([]);
  });

  it('delays the guesses of a network over all accounts, known and unknown', async () => {
    const { email } = await withPassword(fixture);
    await signIn('other@example.com', WRONG);
    await sql(fixture, `UPDATE edge.sign_in_failures SET failures = 60, next_at = now() + interval '40 s' WHERE key LIKE 'network:%'`);
    expect((await signIn(email)).body.error.code).toBe('SIGN_IN_DELAYED');
    await sql(fixture, 'UPDATE edge.sign_in_failures SET next_at = now()');
    expect((await signIn(email)).status).toBe(200);
    expect(await sql(fixture, `SELECT failures FROM edge.sign_in_failures WHERE key LIKE 'network:%'`)).toEqual([{ failures: 60 }]);
  });

  it('asks who has a second factor for it, and keeps counting until it was shown', async () => {
    const { email, userId } = await withPassword(fixture);
    await sql(fixture, `INSERT INTO edge.totp_devices (user_id, secret) VALUES ($1, '\\x00')`, [userId]);
    const unconfirmed = await signIn(email);
    expect(unconfirmed.body).toMatchObject({ is_strong: false });
    await sql(fixture, 'UPDATE edge.totp_devices SET confirmed_at = now() WHERE user_id = $1', [userId]);
    const { status, body, headers } = await signIn(email);
    expect([status, headers.get('set-cookie')]).toEqual([200, null]);
    expect(body).toEqual({
      status: 'second_factor_required',
      token: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
    });
    const [token] = await sql(
      fixture,
      `SELECT kind, expires_at < now() + interval '5 minutes' AS soon FROM edge.one_time_tokens WHERE user_id = $1`,
      [userId],
    );
    expect(token).toEqual({ kind: 'second_factor', soon: true });
    expect(await sql(fixture, `SELECT failures FROM edge.sign_in_failures WHERE key LIKE 'account:%'`)).toEqual([{ failures: 1 }]);
  });

  it('opens only the set-up of a second factor to who must have one and has none', async () => {
    const { email } = await withPassword(fixture, { requiresSecondFactor: true });
    const answer = await signIn(email);
    expect(answer.body).toMatchObject({ is_strong: false, second_factor_required: true });
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/me/v1/profile`, { headers: { cookie: cookieOf(answer) } });
    expect([status, body.error.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
  });

  it('hashes anew what was hashed with other parameters', async () => {
    const { email, userId } = await withPassword(fixture);
    const old = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const stored = () => sql<{ password_hash: string }>(fixture, 'SELECT password_hash FROM edge.users WHERE id = $1', [userId]);
    await sql(fixture, 'UPDATE edge.users SET password_hash = $2 WHERE id = $1', [userId, old]);
    expect((await signIn(email)).status).toBe(200);
    expect((await stored())[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn(email)).status).toBe(200);
  });

  it.each([
    ['no origin', {}],
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['a request of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused with %s', async (_name, headers: Record<string, string>) => {
    const { email } = await withPassword(fixture);
    const body = { email, password: PASSWORD };
    const answer = await call<ErrorBody>(`${fixture.edge.url}/me/v1/sign-in`, { method: 'POST', body, headers });
    expect([answer.status, answer.body.error.code, answer.headers.get('set-cookie')]).toEqual([403, 'CSRF_REJECTED', null]);
  });

  it.each([
    ['an email that is none', { email: 'ada', password: PASSWORD }, 'email'],
    ['no password', { email: 'ada@example.com' }, 'password'],
    ['a huge password', { email: 'ada@example.com', password: 'x'.repeat(5_000) }, 'password'],
  ])('refuses %s', async (_name, body, param) => {
    const answer = await visit<ErrorBody>(fixture, 'POST', '/me/v1/sign-in', body);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
  });

  it('is swept with everything that has ended, by any edge', async () => {
    const { userId } = await withPassword(fixture);
    await sql(fixture, `UPDATE edge.sessions SET expires_at = now() - interval '2 days' WHERE user_id = $1`, [userId]);
    await sql(
      fixture,
      `INSERT INTO edge.one_time_tokens (id, kind, digest, expires_at) SELECT gen_random_uuid(), 'setup', sha256(n::text::bytea), now() - interval '2 days' FROM generate_series(1, 1500) n`,
    );
    await sql(fixture, `INSERT INTO edge.sign_in_failures VALUES ('account:old', 3, now() - interval '2 days', now() - interval '2 days')`);
    // Each edge sweeps when it starts.
    const edges = await Promise.all([0, 1].map(() => startFixture({ databaseUrl: fixture.config.databaseUrl })));
    const left = () =>
      sql<{ rows: number }>(
        fixture,
        `SELECT (SELECT count(*) FROM edge.sessions WHERE user_id = $1)::int + (SELECT count(*) FROM edge.sign_in_failures)::int
                + (SELECT count(*) FROM edge.one_time_tokens WHERE expires_at < now() - interval '1 day')::int AS rows`,
        [userId],
      );
    await waitFor(async () => (await left())[0]?.rows === 0);
    for (const edge of edges) await edge[Symbol.asyncDispose]();
  });
});

it('with the database away a sign-in is refused with 503 and works again afterwards', async () => {
  const database = await createTestDatabase();
  const address = new URL(database.url);
  const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
  [address.hostname, address.port] = ['127.0.0.1', String(proxy.port)];
  const fixture = await startFixture({ databaseUrl: address.href });
  const { email } = await withPassword(fixture, { email: `${uuidv7()}@example.com` });
  const signIn = () => visit<ErrorBody>(fixture, 'POST', '/me/v1/sign-in', { email, password: PASSWORD });
  for (const fault of ['cut', 'pause'] as const) {
    proxy[fault]();
    const { status, body } = await signIn();
    expect([fault, status, body.error.code, body.error.retryable]).toEqual([fault, 503, 'SERVICE_UNAVAILABLE', true]);
    proxy.resume();
  }
  expect((await signIn()).status).toBe(200);
  await fixture[Symbol.asyncDispose]();
  await proxy.close();
  await database.drop();
});
