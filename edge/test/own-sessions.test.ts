import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { type SignedIn, signInAs } from './people.ts';
import { cookieOf, PASSWORD, type SessionBody, sql, tally, visit, withPassword } from './visitors.ts';

const NEXT = 'five loud mountain trains';

interface Shown {
  id: string;
  is_current: boolean;
}

/** The status of a session at an edge. */
async function statusAt({ edge }: Pick<TestFixture, 'edge'>, { cookie }: { cookie: string }): Promise<number> {
  return (await call(`${edge.url}/me/v1/session`, { headers: { cookie } })).status;
}

describe('the own sessions, profile and password', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  /** Another session of the same person. */
  const signInAgain = async (email: string) => {
    const answer = await visit<SessionBody>(fixture, 'POST', '/me/v1/sign-in', { email, password: PASSWORD });
    return { id: answer.body.id, cookie: cookieOf(answer), csrf: answer.body.csrf_token };
  };
  const as = <T = unknown>(session: { cookie: string; csrf: string }, method: string, path: string, body?: unknown) =>
    visit<T>(fixture, method, path, body, { cookie: session.cookie, 'x-csrf-token': session.csrf });

  it('sign-out ends the session and removes the cookie', async () => {
    const ada = await signInAs(fixture, { requiresSecondFactor: true });
    const { status, headers, body } = await ada.call('POST', '/me/v1/sign-out');
    expect([status, body]).toEqual([200, { sign_out_url: null }]);
    expect(headers.get('set-cookie')).toBe('parley_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
    expect(await statusAt(fixture, ada)).toBe(401);
    expect((await ada.call<ErrorBody>('POST', '/me/v1/sign-out')).body.error.code).toBe('SIGN_IN_REQUIRED');
  });

  it('are listed, and only those of the person', async () => {
    const ada = await withPassword(fixture);
    const other = await signInAgain(ada.email);
    await signInAs(fixture);
    const ended = await signInAgain(ada.email);
    await as(ended, 'POST', '/me/v1/sign-out');
    const { body, headers } = await ada.call<Shown[]>('GET', '/me/v1/sessions');
    expect(headers.get('x-total-count')).toBe('2');
    expect(new Map(body.map(({ id, is_current }) => [id, is_current]))).toEqual(
      new Map([
        [ada.sessionId, true],
        [other.id, false],
      ]),
    );
    expect(body[0]).toEqual({
      ...{ id: expect.any(String), is_current: expect.any(Boolean), method: 'password', is_strong: false, address: '127.0.0.1' },
      ...{
        user_agent: expect.any(String),
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        expires_at: expect.any(String),
      },
    });
  });

  it('are revoked one by one or all others, and none of other users', async () => {
    const ada = await withPassword(fixture);
    const [one, two] = [await signInAgain(ada.email), await signInAgain(ada.email)];
    const stranger = await signInAs(fixture);
    const foreign = await ada.call<ErrorBody>('DELETE', `/me/v1/sessions/${stranger.sessionId}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found']);
    expect((await ada.call('DELETE', `/me/v1/sessions/${one.id}`)).status).toBe(204);
    expect([await statusAt(fixture, one), await statusAt(fixture, two)]).toEqual([401, 200]);
    expect((await ada.call('DELETE', `/me/v1/sessions/${one.id}`)).status).toBe(404);
    expect((await ada.call('DELETE', '/me/v1/sessions')).status).toBe(204);
    expect([await statusAt(fixture, two), await statusAt(fixture, ada), await statusAt(fixture, stranger)]).toEqual([401, 200, 200]);
    const own = await ada.call('DELETE', `/me/v1/sessions/${ada.sessionId}`);
    expect([own.status, cookieOf(own), await statusAt(fixture, ada)]).toEqual([204, '', 401]);
  });

  it.each([
    ['no CSRF token', (_ada: SignedIn, _eve: SignedIn) => ({ 'x-csrf-token': '' })],
    ['the CSRF token of another session', (_ada, eve) => ({ 'x-csrf-token': eve.csrf })],
    ['the origin of another site', () => ({ origin: 'https://evil.example' })],
  ])('change nothing with %s', async (_name, headers: (ada: SignedIn, eve: SignedIn) => Record<string, string>) => {
    const [ada, eve] = [await signInAs(fixture), await signInAs(fixture)];
    const unsafe = [
      ['POST', '/me/v1/sign-out'],
      ['DELETE', '/me/v1/sessions'],
      ['DELETE', `/me/v1/sessions/${ada.sessionId}`],
      ['PATCH', '/me/v1/profile', { display_name: 'Mallory' }],
      ['POST', '/me/v1/password', { old_password: PASSWORD, new_password: NEXT }],
    ] as const;
    const answers = [];
    for (const [method, path, body] of unsafe) answers.push(await ada.call(method, path, body, headers(ada, eve)));
    expect(tally(answers)).toEqual({ '403 CSRF_REJECTED': unsafe.length });
    expect(await statusAt(fixture, ada)).toBe(200);
  });

  it('a profile has a name to change, and no role', async () => {
    const ada = await withPassword(fixture, { email: 'lovelace@example.com' });
    const body = {
      display_name: 'Ada Lovelace',
      instance_role: 'owner',
      role: 'owner',
      email: 'x@example.com',
      status: 'disabled',
      rights: {},
    };
    const changed = await ada.call('PATCH', '/me/v1/profile', body);
    expect(changed.body).toEqual({
      ...{ id: ada.userId, display_name: 'Ada Lovelace', email: 'lovelace@example.com', has_password: true, password_changed_at: null },
      ...{ second_factors: [], requires_second_factor: false, created_at: expect.any(String) },
    });
    const session = await ada.call('GET', '/me/v1/session');
    expect(session.body).toMatchObject({ user: { display_name: 'Ada Lovelace' }, rights: { instance_role: null, memberships: [] } });
  });

  it('a new password gives the session a new token and ends all others, links and waiting sign-ins', async () => {
    const ada = await withPassword(fixture);
    const other = await signInAgain(ada.email);
    await sql(
      fixture,
      `INSERT INTO edge.one_time_tokens (id, kind, digest, user_id, expires_at) VALUES (gen_random_uuid(), 'reset', '\\x01', $1, now() + interval '1 hour')`,
      [ada.userId],
    );
    const changed = await ada.call<SessionBody>('POST', '/me/v1/password', { old_password: PASSWORD, new_password: NEXT });
    expect([changed.status, changed.body.id]).toEqual([200, ada.sessionId]);
    const rotated = { cookie: cookieOf(changed), csrf: changed.body.csrf_token };
    expect(rotated.cookie).not.toBe(ada.cookie);
    expect(rotated.csrf).not.toBe(ada.csrf);
    expect([await statusAt(fixture, ada), await statusAt(fixture, other), await statusAt(fixture, rotated)]).toEqual([401, 401, 200]);
    expect((await as(rotated, 'PATCH', '/me/v1/profile', { display_name: 'Ada' })).status).toBe(200);
    const attempts = [];
    for (const password of [PASSWORD, NEXT]) attempts.push(await visit(fixture, 'POST', '/me/v1/sign-in', { email: ada.email, password }));
    expect(attempts.map(({ status }) => status)).toEqual([401, 200]);
    expect(await sql(fixture, 'SELECT FROM edge.one_time_tokens WHERE user_id = $1 AND used_at IS NULL', [ada.userId])).toEqual([]);
  });

  it.each([
    ['a wrong old password', { old_password: NEXT, new_password: NEXT }, '401 SIGN_IN_FAILED'],
    ['a short new one', { old_password: PASSWORD, new_password: 'elevenchars' }, '422 VALIDATION_ERROR'],
    ['one of the commonest', { old_password: PASSWORD, new_password: '1q2w3e4r5t6y' }, '422 VALIDATION_ERROR'],
  ])('the password stays after %s', async (_name, body, expected) => {
    const ada = await withPassword(fixture);
    expect(tally([await ada.call('POST', '/me/v1/password', body)])).toEqual({ [expected]: 1 });
    expect(await statusAt(fixture, ada)).toBe(200);
    expect((await visit(fixture, 'POST', '/me/v1/sign-in', { email: ada.email, password: PASSWORD })).status).toBe(200);
  });

  it('a session that was found open cannot be used to guess the password', async () => {
    const ada = await withPassword(fixture);
    const guess = { old_password: 'wrong wrong wrong', new_password: NEXT };
    const guesses = await Promise.all(Array.from({ length: 30 }, () => ada.call('POST', '/me/v1/password', guess)));
    expect(tally(guesses)['429 SIGN_IN_DELAYED']).toBeGreaterThan(15);
  });
});

it('a revoked session is refused by every edge: by notice, and soon without the broker', async () => {
  const broker = new URL(process.env['NATS_URL'] ?? '');
  const proxy = await startFaultProxy({ host: broker.hostname, port: Number(broker.port) });
  const here = await startFixture();
  const { databaseUrl } = here.config;
  // Nothing but a notice ends a session within the lifetime of the cache of this edge.
  const patient = await startFixture({ databaseUrl }, { cacheTimes: { maxAgeMs: 600_000, refreshMs: 600_000 } });
  broker.hostname = '127.0.0.1';
  broker.port = String(proxy.port);
  const cutOff = await startFixture({ databaseUrl, natsUrl: broker.href }, { cacheTimes: { maxAgeMs: 2_000, refreshMs: 1_000 } });
  const isConnected = async ({ edge }: TestFixture) =>
    (await call<{ checks: { broker: { ok: boolean } } }>(`${edge.url}/readyz`)).body.checks.broker.ok;
  for (const edge of [here, patient, cutOff]) await waitFor(() => isConnected(edge));

  const ada = await signInAs(here);
  proxy.pause();
  expect(await Promise.all([here, patient, cutOff].map((edge) => statusAt(edge, ada)))).toEqual([200, 200, 200]);
  expect((await ada.call('POST', '/me/v1/sign-out')).status).toBe(200);
  expect(await statusAt(here, ada)).toBe(401);
  await waitFor(async () => (await statusAt(patient, ada)) === 401);
  await waitFor(async () => (await statusAt(cutOff, ada)) === 401);

  proxy.resume();
  for (const edge of [cutOff, patient, here]) await edge[Symbol.asyncDispose]();
  await proxy.close();
});
