import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '../src/identity/password-hasher.ts';
import { browserAfter } from './browser-session.ts';
import { type Answer, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { operate } from './operator.ts';
import { type SignedIn, signInAs } from './people.ts';
import {
  type AddedFactor,
  awaitFactor,
  codeOf,
  dump,
  forgetAttempts,
  forgetCodes,
  letFactorAge,
  signInWithTotp,
} from './second-factors.ts';
import { cookieOf, PASSWORD, sql, visit } from './visitors.ts';

const AT_ONCE = 50;
const FACTORS = '/me/v1/second-factors';
const SIGN_IN = '/me/v1/sign-in/second-factor';

const said = ({ status, body }: Answer) => [status, (body as Partial<ErrorBody>).error?.code];
const messageOf = ({ body }: Answer) => (body as ErrorBody).error.message;

describe('second factors', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => forgetAttempts(fixture));
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });
  const show = (body: Record<string, unknown>) => visit<{ is_strong: boolean }>(fixture, 'POST', SIGN_IN, body);
  const signInWith = async (person: Pick<SignedIn, 'userId'>, shown: Record<string, unknown>) =>
    show({ token: await awaitFactor(fixture, person), ...shown });
  const allowed = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);

  describe('an authenticator app', () => {
    it('counts from its first code on: the session gets two factors and a new token, and all others end', async () => {
      const weak = await signInAs(fixture, { requiresSecondFactor: true, email: 'ada+app@example.com' });
      expect(said(await weak.call('GET', '/me/v1/profile'))).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
      const begun = await weak.call<{ secret: string; uri: string }>('POST', `${FACTORS}/totp`);
      expect([begun.status, begun.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const { secret, uri } = begun.body;
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(Object.fromEntries(new URL(uri).searchParams)).toMatchObject({ secret, issuer: 'Parley' });
      expect((await weak.call('GET', FACTORS)).body).toEqual({ totp: null, passkeys: 0, recovery_codes: 0, is_required: true });

      const answer = await weak.call<AddedFactor>('POST', `${FACTORS}/totp/confirm`, { code: codeOf(secret) });
      expect(answer.body).toMatchObject({ session: { id: weak.sessionId, is_strong: true, second_factor_required: false } });
      expect(new Set(answer.body.recovery_codes).size).toBe(10);
      const strong = browserAfter(fixture.edge.url, answer, answer.body.session);
      expect([strong.cookie === weak.cookie, strong.csrf === weak.csrf]).toEqual([false, false]);
      expect(said(await weak.call('GET', FACTORS))).toEqual([401, 'SIGN_IN_REQUIRED']);
      expect((await strong.call('GET', '/me/v1/profile')).status).toBe(200);
      expect((await strong.call('GET', FACTORS)).body).toMatchObject({
        totp: { confirmed_at: expect.any(String) },
        recovery_codes: 10,
      });
    });

    it('ends every other session of the person with the first factor', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const other = await signInWith(person, { code: codeOf(secret) });
      expect(other.status).toBe(200);
      const rows = await sql(fixture, 'SELECT FROM edge.sessions WHERE user_id = $1 AND revoked_at IS NULL', [person.userId]);
      expect(rows).toHaveLength(2);
      const [weak, third] = [await signInAs(fixture), 'third'.padEnd(43, 'x')];
      await sql(
        fixture,
        `INSERT INTO edge.sessions (id, digest, user_id, method, address, user_agent, expires_at)
         VALUES (gen_random_uuid(), sha256($1::text::bytea), $2, 'password', '127.0.0.1', 'test', now() + interval '1 day')`,
        [third, weak.userId],
      );
      const elsewhere = () => weak.call('GET', '/me/v1/session', undefined, { cookie: `parley_session=${third}` });
      expect((await elsewhere()).status).toBe(200);
      const { secret: own } = (await weak.call<{ secret: string }>('POST', `${FACTORS}/totp`)).body;
      expect((await weak.call('POST', `${FACTORS}/totp/confirm`, { code: codeOf(own) })).status).toBe(200);
      expect(said(await elsewhere())).toEqual([401, 'SIGN_IN_REQUIRED']);
    });

    it.each([
      [120, '120 seconds ahead of'],
      [-120, '120 seconds behind'],
    ])('reports a clock that is off by %s seconds at its set-up', async (seconds, words) => {
      const weak = await signInAs(fixture);
      const { secret } = (await weak.call<{ secret: string }>('POST', `${FACTORS}/totp`)).body;
      const answer = await weak.call('POST', `${FACTORS}/totp/confirm`, { code: codeOf(secret, seconds) });
      expect(said(answer)).toEqual([422, 'VALIDATION_ERROR']);
      expect(messageOf(answer)).toMatch(new RegExp(words.replace('120', '(?:90|120|150)')));
      expect((await weak.call('GET', FACTORS)).body).toMatchObject({ totp: null });
    });

    it.each([120, -120])('is refused at sign-in with a clock that is off by %s seconds, in words that name the clock', async (seconds) => {
      const { person, secret } = await signInWithTotp(fixture);
      const answer = await signInWith(person, { code: codeOf(secret, seconds) });
      expect(said(answer)).toEqual([401, 'SIGN_IN_FAILED']);
      expect(messageOf(answer)).toContain('clock');
    });

    it('is replaced by another app only with the first code of that one', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const { secret: next } = (await person.call<{ secret: string }>('POST', `${FACTORS}/totp`)).body;
      expect((await signInWith(person, { code: codeOf(secret) })).status).toBe(200);
      const answer = await person.call<AddedFactor>('POST', `${FACTORS}/totp/confirm`, { code: codeOf(next) });
      expect([answer.status, answer.body.recovery_codes]).toEqual([200, null]);
      await forgetCodes(fixture, person);
      expect(said(await signInWith(person, { code: codeOf(secret) }))).toEqual([401, 'SIGN_IN_FAILED']);
      expect((await signInWith(person, { code: codeOf(next) })).status).toBe(200);
    });

    it('cannot be confirmed where none was begun', async () => {
      const weak = await signInAs(fixture);
      expect(said(await weak.call('POST', `${FACTORS}/totp/confirm`, { code: '123456' }))).toEqual([404, 'not_found']);
      expect(said(await weak.call('DELETE', `${FACTORS}/totp`))).toEqual([404, 'not_found']);
    });
  });

  describe('at sign-in', () => {
    it('follow a password that was right', async () => {
      const { person, secret } = await signInWithTotp(fixture, { email: 'grace@example.com' });
      const stored = await new PasswordHasher().hash(PASSWORD);
      await sql(fixture, 'UPDATE edge.users SET password_hash = $2 WHERE id = $1', [person.userId, stored]);
      const first = await visit<{ token: string }>(fixture, 'POST', '/me/v1/sign-in', {
        email: 'grace@example.com',
        password: PASSWORD,
      });
      expect(first.body).toMatchObject({ status: 'second_factor_required', methods: ['totp', 'recovery_code'] });
      expect(first.headers.get('set-cookie')).toBeNull();
      const answer = await show({ token: first.body.token, code: codeOf(secret) });
      expect(answer.body).toMatchObject({ is_strong: true, method: 'password', user: { id: person.userId } });
      const failures = await sql<{ failures: number }>(fixture, 'SELECT failures FROM edge.sign_in_failures');
      expect(failures.map(({ failures: count }) => count)).toEqual([0]);
      expect(said(await show({ token: first.body.token, code: codeOf(secret) }))).toEqual([410, 'LINK_NOT_VALID']);
    });

    it('one code opens one session, however many use it at once', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const tokens = await Promise.all(Array.from({ length: AT_ONCE }, () => awaitFactor(fixture, person)));
      const code = codeOf(secret);
      expect(allowed(await Promise.all(tokens.map((token) => show({ token, code }))))).toHaveLength(1);
      expect(said(await signInWith(person, { code }))[1]).not.toBeUndefined();
    });

    it('one recovery code opens one session, however many use it at once', async () => {
      const { person, recoveryCodes } = await signInWithTotp(fixture);
      const tokens = await Promise.all(Array.from({ length: AT_ONCE }, () => awaitFactor(fixture, person)));
      const answers = await Promise.all(tokens.map((token) => show({ token, recovery_code: recoveryCodes[0] })));
      expect(allowed(answers)).toHaveLength(1);
      await forgetAttempts(fixture);
      expect(said(await signInWith(person, { recovery_code: recoveryCodes[0] }))).toEqual([401, 'SIGN_IN_FAILED']);
      expect((await signInWith(person, { recovery_code: recoveryCodes[1]?.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
      const session = browserAfter(
        fixture.edge.url,
        answers.find(({ status }) => status === 200) as Answer,
        allowed(answers)[0]?.body as never,
      );
      expect((await session.call('GET', FACTORS)).body).toMatchObject({ recovery_codes: 8 });
    });

    it('look at five answers to one token, however many come at once', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const token = await awaitFactor(fixture, person);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => show({ token, code: '000000' })));
      const looked = answers.filter(({ status }) => status === 401).length;
      expect(looked).toBeGreaterThan(0);
      expect(looked).toBeLessThanOrEqual(5);
      await sql(fixture, 'UPDATE edge.one_time_tokens SET failures = 5 WHERE user_id = $1 AND used_at IS NULL', [person.userId]);
      await forgetAttempts(fixture);
      expect(said(await show({ token, code: codeOf(secret) }))).toEqual([410, 'LINK_NOT_VALID']);
    });

    it('use a token up with the fifth wrong answer and not before', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const [used, nearly] = [await awaitFactor(fixture, person), await awaitFactor(fixture, person)];
      for (let attempt = 1; attempt <= 5; attempt++) {
        await forgetAttempts(fixture);
        expect(said(await show({ token: used, code: '000000' }))).toEqual([401, 'SIGN_IN_FAILED']);
        if (attempt < 5) expect(said(await show({ token: nearly, code: '000000' }))).toEqual([401, 'SIGN_IN_FAILED']);
      }
      await forgetAttempts(fixture);
      expect(said(await show({ token: used, code: codeOf(secret) }))).toEqual([410, 'LINK_NOT_VALID']);
      expect((await show({ token: nearly, code: codeOf(secret) })).status).toBe(200);
    });

    it('delay guesses of an account over any number of tokens, and those in an open session', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const guesses: Answer[] = [];
      for (let guess = 0; guess < 5; guess++) guesses.push(await signInWith(person, { code: '000000' }));
      expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
      await sql(fixture, `UPDATE edge.sign_in_failures SET next_at = now() + interval '1 minute' WHERE key LIKE 'account:%'`);
      const delayed = await signInWith(person, { code: codeOf(secret) });
      expect(said(delayed)).toEqual([429, 'SIGN_IN_DELAYED']);
      expect(Number(delayed.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(said(await person.call('POST', `${FACTORS}/verify`, { code: codeOf(secret) }))).toEqual([429, 'SIGN_IN_DELAYED']);
    });

    it('refuse a token that was not made for them, a disabled person, and more than one answer', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      expect(said(await show({ token: 'x'.repeat(43), code: '123456' }))).toEqual([410, 'LINK_NOT_VALID']);
      const token = await awaitFactor(fixture, person);
      expect(said(await show({ token, code: codeOf(secret), recovery_code: 'x' }))).toEqual([422, 'VALIDATION_ERROR']);
      expect(said(await show({ token }))).toEqual([422, 'VALIDATION_ERROR']);
      await operate(fixture, 'PATCH', `users/${person.userId}`, { status: 'disabled' });
      expect(said(await show({ token, code: codeOf(secret) }))).toEqual([410, 'LINK_NOT_VALID']);
    });

    it('refuse a page of another site', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const body = { token: await awaitFactor(fixture, person), code: codeOf(secret) };
      const answer = await visit(fixture, 'POST', SIGN_IN, body, { origin: 'https://evil.example' });
      expect(said(answer)).toEqual([403, 'CSRF_REJECTED']);
    });
  });

  describe('are changed', () => {
    it('only after one was shown within ten minutes', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      await letFactorAge(fixture, person);
      for (const [method, path] of [
        ['DELETE', '/totp'],
        ['POST', '/totp'],
        ['POST', '/recovery-codes'],
      ] as const) {
        expect(said(await person.call(method, FACTORS + path))).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
      }
      expect(said(await person.call('POST', `${FACTORS}/verify`, { code: '000000' }))).toEqual([401, 'SIGN_IN_FAILED']);
      const verified = await person.call<AddedFactor['session']>('POST', `${FACTORS}/verify`, { code: codeOf(secret) });
      const fresh = browserAfter(fixture.edge.url, verified, verified.body);
      expect(said(await person.call('GET', FACTORS))).toEqual([401, 'SIGN_IN_REQUIRED']);
      expect((await fresh.call('DELETE', `${FACTORS}/totp`)).status).toBe(204);
      expect((await fresh.call('GET', FACTORS)).body).toEqual({ totp: null, passkeys: 0, recovery_codes: 0, is_required: false });
    });

    it('not by a session that has shown none, where the person has one', async () => {
      const { person } = await signInWithTotp(fixture);
      await sql(fixture, 'UPDATE edge.sessions SET is_strong = false WHERE id = $1', [person.sessionId]);
      await operate(fixture, 'PATCH', `users/${person.userId}`, { display_name: 'Ada' });
      expect(said(await person.call('POST', `${FACTORS}/totp`))).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
    });

    it('to nothing only where none is demanded', async () => {
      const { person, secret } = await signInWithTotp(fixture, { requiresSecondFactor: true });
      const answer = await person.call('DELETE', `${FACTORS}/totp`);
      expect(said(answer)).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
      expect(messageOf(answer)).toContain('demanded');
      expect((await signInWith(person, { code: codeOf(secret) })).status).toBe(200);
    });

    it('with new recovery codes, which end the old ones', async () => {
      const { person, recoveryCodes } = await signInWithTotp(fixture);
      const made = await person.call<{ recovery_codes: string[] }>('POST', `${FACTORS}/recovery-codes`);
      expect([made.status, made.body.recovery_codes.length]).toEqual([200, 10]);
      expect(said(await signInWith(person, { recovery_code: recoveryCodes[0] }))).toEqual([401, 'SIGN_IN_FAILED']);
      expect((await signInWith(person, { recovery_code: made.body.recovery_codes[0] })).status).toBe(200);
      const without = await signInAs(fixture);
      expect(said(await without.call('POST', `${FACTORS}/recovery-codes`))).toEqual([404, 'not_found']);
    });

    it('by an admin for who has lost them: sessions and sign-ins that wait end', async () => {
      const { person, secret } = await signInWithTotp(fixture);
      const token = await awaitFactor(fixture, person);
      await operate(fixture, 'DELETE', `users/${person.userId}/second-factors`, undefined, 204);
      expect(said(await person.call('GET', FACTORS))).toEqual([401, 'SIGN_IN_REQUIRED']);
      expect(said(await show({ token, code: codeOf(secret) }))).toEqual([410, 'LINK_NOT_VALID']);
      for (const table of ['totp_devices', 'recovery_codes', 'passkeys']) {
        expect(await sql(fixture, `SELECT FROM edge.${table} WHERE user_id = $1`, [person.userId])).toEqual([]);
      }
      const [entry] = await sql(fixture, `SELECT details FROM edge.audit_log WHERE action = 'second_factors.delete' AND target_id = $1`, [
        person.userId,
      ]);
      expect(entry).toEqual({ details: { totp: true, passkeys: 0, sessions: 1 } });
      await operate(fixture, 'DELETE', 'users/ada/second-factors', undefined, 422);
      await operate(fixture, 'DELETE', 'users/00000000-0000-4000-8000-000000000000/second-factors', undefined, 404);
    });
  });

  it('leave an audit entry each, and no secret anywhere', async () => {
    const { person, secret, recoveryCodes } = await signInWithTotp(fixture);
    const code = codeOf(secret);
    const token = await awaitFactor(fixture, person);
    const signedIn = await show({ token, code });
    expect((await signInWith(person, { recovery_code: recoveryCodes[3] })).status).toBe(200);
    await signInWith(person, { recovery_code: recoveryCodes[3] });
    expect((await person.call('DELETE', `${FACTORS}/totp`)).status).toBe(204);
    const entries = await sql<{ action: string; details: object }>(
      fixture,
      'SELECT action, details FROM edge.audit_log WHERE actor_id = $1 ORDER BY seq',
      [person.userId],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'totp.create',
      'totp.confirm',
      'second_factor.use',
      'session.begin',
      'second_factor.use',
      'session.begin',
      'totp.delete',
    ]);
    expect(entries[2]?.details).toEqual({ factor: 'totp' });
    const everything = (await dump(fixture)) + JSON.stringify(fixture.lines);
    for (const known of [
      secret,
      token,
      ...recoveryCodes,
      ...recoveryCodes.map((one) => one.replaceAll('-', '')),
      cookieOf(signedIn).split('=')[1] ?? '?',
    ]) {
      for (const form of [known, Buffer.from(known).toString('hex'), Buffer.from(known).toString('base64')]) {
        expect(everything).not.toContain(form);
      }
    }
  });
});
