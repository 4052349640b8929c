import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { browserAfter } from './browser-session.ts';
import { type Answer, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { operate } from './operator.ts';
import { type PersonFacts, type SignedIn, signInAs } from './people.ts';
import { type AddedFactor, awaitFactor, codeOf, dump, forgetAttempts, signInWithTotp } from './second-factors.ts';
import { type Deviation, SoftAuthenticator } from './soft-authenticator.ts';
import { cookieOf, sql, visit } from './visitors.ts';

interface Begun {
  token: string;
  options: { challenge: string; excludeCredentials?: { id: string }[]; rpId?: string; user?: { id: string } };
}
type Added = AddedFactor & { passkey: { id: string; name: string } };

/** A person with a passkey, and the authenticator that keeps it. */
interface WithPasskey {
  person: SignedIn;
  authenticator: SoftAuthenticator;
  id: string;
}

const said = ({ status, body }: Answer) => [status, (body as Partial<ErrorBody>).error?.code];

describe('passkeys', () => {
  let fixture: TestFixture;
  let origin: string;
  beforeAll(async () => {
    fixture = await startFixture();
    origin = fixture.edge.url.replace('127.0.0.1', 'localhost');
  });
  beforeEach(() => forgetAttempts(fixture));
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const ask = <T>(person: SignedIn, path: string, body?: unknown) => person.call<T>('POST', path, body, { origin });
  const visitor = <T>(path: string, body?: unknown) => visit<T>(fixture, 'POST', path, body, { origin });
  const begin = async () => (await visitor<Begun>('/me/v1/sign-in/passkey/options')).body;
  const register = async (person: SignedIn, authenticator: SoftAuthenticator, name = 'A phone', deviation: Deviation = {}) => {
    const { token, options } = (await ask<Begun>(person, '/me/v1/passkeys/options')).body;
    return ask<Added>(person, '/me/v1/passkeys', { token, name, response: authenticator.create(options, deviation) });
  };
  const withPasskey = async (facts: PersonFacts = {}): Promise<WithPasskey> => {
    const weak = await signInAs(fixture, facts);
    const authenticator = new SoftAuthenticator(origin);
    const answer = await register(weak, authenticator);
    if (answer.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
    const person = browserAfter(fixture.edge.url, answer, answer.body.session);
    return { person, authenticator, id: answer.body.passkey.id };
  };
  const signInWith = async (authenticator: SoftAuthenticator, deviation: Deviation = {}) => {
    const { token, options } = await begin();
    return visitor<AddedFactor['session']>('/me/v1/sign-in/passkey', { token, response: authenticator.get(options, deviation) });
  };

  it('sign in alone, with two factors, after they were added', async () => {
    const weak = await signInAs(fixture, { requiresSecondFactor: true });
    const authenticator = new SoftAuthenticator(origin);
    const added = await register(weak, authenticator, 'Key on the door');
    expect(added.body).toMatchObject({ passkey: { name: 'Key on the door' }, session: { is_strong: true } });
    expect(added.body.recovery_codes).toHaveLength(10);
    expect(said(await weak.call('GET', '/me/v1/passkeys'))).toEqual([401, 'SIGN_IN_REQUIRED']);
    const answer = await signInWith(authenticator);
    expect(answer.body).toMatchObject({ method: 'passkey', is_strong: true, user: { id: weak.userId } });
    const person = browserAfter(fixture.edge.url, answer, answer.body);
    expect((await person.call('GET', '/me/v1/passkeys')).body).toMatchObject([
      { name: 'Key on the door', transports: ['internal'], last_used_at: expect.any(String) },
    ]);
  });

  it('are a second factor after a password, and only of their own person', async () => {
    const [ada, eve] = [await withPasskey(), await withPasskey()];
    const show = async ({ authenticator }: WithPasskey) => {
      const { token, options } = await begin();
      const passkey = { token, response: authenticator.get(options) };
      return visitor('/me/v1/sign-in/second-factor', { token: await awaitFactor(fixture, ada.person), passkey });
    };
    expect(said(await show(eve))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await show(ada)).body).toMatchObject({ method: 'password', is_strong: true, user: { id: ada.person.userId } });
  });

  it('are shown again in an open session', async () => {
    const { person, authenticator } = await withPasskey();
    const { token, options } = (await ask<Begun>(person, '/me/v1/sign-in/passkey/options')).body;
    const verified = await ask<AddedFactor['session']>(person, '/me/v1/second-factors/verify', {
      passkey: { token, response: authenticator.get(options) },
    });
    expect(verified.body).toMatchObject({ id: person.sessionId, is_strong: true });
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['the same host at another port', { origin: 'http://localhost:1' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['without user verification', { isVerified: false }],
    ['another key', { isForged: true }],
    ['the name of another person', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['no name of a person', { userHandle: null }],
  ])('are refused with %s, all in the same words', async (_name, deviation) => {
    const { authenticator } = await withPasskey();
    const answer = await signInWith(authenticator, deviation);
    expect(said(answer)).toEqual([401, 'SIGN_IN_FAILED']);
    expect((answer.body as unknown as ErrorBody).error.message).toBe('the passkey was not accepted');
    expect((await signInWith(authenticator)).status).toBe(200);
  });

  it('are refused where they are unknown, in those words too', async () => {
    const answer = await signInWith(new SoftAuthenticator(origin), { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' });
    expect(said(answer)).toEqual([401, 'SIGN_IN_FAILED']);
    expect((answer.body as unknown as ErrorBody).error.message).toBe('the passkey was not accepted');
  });

  it('are refused when their counter does not grow: there is a copy', async () => {
    const { authenticator } = await withPasskey();
    expect((await signInWith(authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) expect(said(await signInWith(authenticator, { counter }))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await signInWith(authenticator, { counter: 8 })).status).toBe(200);
  });

  it('answer a challenge once, however many send the answer at once', async () => {
    const { authenticator } = await withPasskey();
    const { token, options } = await begin();
    const body = { token, response: authenticator.get(options) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor('/me/v1/sign-in/passkey', body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(said(await visitor('/me/v1/sign-in/passkey', body))).toEqual([410, 'LINK_NOT_VALID']);
    const next = await begin();
    expect(said(await visitor('/me/v1/sign-in/passkey', { ...body, token: next.token }))).toEqual([401, 'SIGN_IN_FAILED']);
  });

  it('answer no challenge of another session, and none that was made for something else', async () => {
    const [ada, eve] = [await withPasskey(), await withPasskey()];
    const { token, options } = (await ask<Begun>(eve.person, '/me/v1/passkeys/options')).body;
    const response = new SoftAuthenticator(origin).create(options);
    expect(said(await ask(ada.person, '/me/v1/passkeys', { token, response }))).toEqual([410, 'LINK_NOT_VALID']);
    const asked = (await ask<Begun>(eve.person, '/me/v1/sign-in/passkey/options')).body;
    const answered = { token: asked.token, response: ada.authenticator.get(asked.options) };
    expect(said(await visitor('/me/v1/sign-in/passkey', answered))).toEqual([410, 'LINK_NOT_VALID']);
    const forSignIn = (await ask<Begun>(ada.person, '/me/v1/sign-in/passkey/options')).body;
    const made = new SoftAuthenticator(origin).create({ ...options, ...forSignIn.options });
    expect(said(await ask(ada.person, '/me/v1/passkeys', { token: forSignIn.token, response: made }))).toEqual([410, 'LINK_NOT_VALID']);
  });

  it('are not registered from another origin, unverified, or a second time', async () => {
    const person = await signInAs(fixture);
    const refused: Deviation[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { challenge: 'AAAA' },
    ];
    for (const deviation of refused) {
      expect(said(await register(person, new SoftAuthenticator(origin), 'x', deviation))).toEqual([422, 'VALIDATION_ERROR']);
    }
    const { authenticator } = await withPasskey();
    expect(said(await register(person, authenticator))).toEqual([422, 'VALIDATION_ERROR']);
    expect((await person.call('GET', '/me/v1/second-factors')).body).toMatchObject({ passkeys: 0 });
  });

  it('are renamed and removed by their own person only; a removed one is refused', async () => {
    const [ada, eve] = [await withPasskey(), await withPasskey()];
    const path = `/me/v1/passkeys/${ada.id}`;
    expect(said(await eve.person.call('PATCH', path, { name: 'mine' }))).toEqual([404, 'not_found']);
    expect(said(await eve.person.call('DELETE', path))).toEqual([404, 'not_found']);
    expect((await ada.person.call('PATCH', path, { name: 'Old phone', user_id: eve.person.userId })).body).toMatchObject({
      name: 'Old phone',
    });
    expect((await signInWith(ada.authenticator)).body).toMatchObject({ user: { id: ada.person.userId } });
    expect((await ada.person.call('DELETE', path)).status).toBe(204);
    expect(said(await signInWith(ada.authenticator))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await ada.person.call('GET', '/me/v1/second-factors')).body).toMatchObject({ passkeys: 0, recovery_codes: 0 });
  });

  it('stay where a second factor is demanded and no other is left', async () => {
    const { person, id } = await withPasskey({ requiresSecondFactor: true });
    expect(said(await person.call('DELETE', `/me/v1/passkeys/${id}`))).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
    const { secret } = (await person.call<{ secret: string }>('POST', '/me/v1/second-factors/totp')).body;
    const confirmed = await person.call<AddedFactor>('POST', '/me/v1/second-factors/totp/confirm', { code: codeOf(secret) });
    expect(confirmed.body.recovery_codes).toBeNull();
    const next = browserAfter(fixture.edge.url, confirmed, confirmed.body.session);
    expect((await next.call('DELETE', `/me/v1/passkeys/${id}`)).status).toBe(204);
  });

  it('of one person: two that are removed at once leave the one that is demanded', async () => {
    const { person, id } = await withPasskey({ requiresSecondFactor: true });
    const second = await register(person, new SoftAuthenticator(origin));
    const both = browserAfter(fixture.edge.url, second, second.body.session);
    const removed = await Promise.all([id, second.body.passkey.id].map((one) => both.call('DELETE', `/me/v1/passkeys/${one}`)));
    expect(removed.map(({ status }) => status).sort()).toEqual([204, 403]);
  });

  it('of a disabled person are rejected', async () => {
    const { person, authenticator } = await withPasskey();
    await operate(fixture, 'PATCH', `users/${person.userId}`, { status: 'disabled' });
    expect(said(await signInWith(authenticator))).toEqual([401, 'SIGN_IN_FAILED']);
  });

  it('are added by who has another factor only after that was shown', async () => {
    const { person } = await signInWithTotp(fixture);
    await sql(fixture, `UPDATE edge.sessions SET created_at = now() - interval '1 hour', factor_shown_at = NULL WHERE id = $1`, [
      person.sessionId,
    ]);
    expect(said(await ask(person, '/me/v1/passkeys/options'))).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
  });

  it('are not offered at an address, with words about what to do', async () => {
    const { status, body } = await visit<ErrorBody>(fixture, 'POST', '/me/v1/sign-in/passkey/options');
    expect([status, body.error.code, body.error.param]).toEqual([400, 'INVALID_REQUEST', 'Origin']);
    expect(body.error.message).toContain(`open ${origin}`);
  });

  it('leave an audit entry each, and no challenge or token anywhere', async () => {
    const { person, authenticator, id } = await withPasskey();
    const { token, options } = await begin();
    const answer = await visitor('/me/v1/sign-in/passkey', { token, response: authenticator.get(options) });
    await person.call('PATCH', `/me/v1/passkeys/${id}`, { name: 'Tablet' });
    await person.call('DELETE', `/me/v1/passkeys/${id}`);
    const entries = await sql<{ action: string }>(fixture, 'SELECT action FROM edge.audit_log WHERE actor_id = $1 ORDER BY seq', [
      person.userId,
    ]);
    expect(entries.map(({ action }) => action)).toEqual(['passkey.create', 'session.begin', 'passkey.update', 'passkey.delete']);
    const open = await begin();
    const everything = (await dump(fixture)) + JSON.stringify(fixture.lines);
    for (const known of [token, options.challenge, open.token, open.options.challenge, cookieOf(answer).split('=')[1] ?? '?']) {
      expect(everything).not.toContain(known);
      expect(everything).not.toContain(Buffer.from(known, 'base64url').toString('hex'));
    }
  });
});
