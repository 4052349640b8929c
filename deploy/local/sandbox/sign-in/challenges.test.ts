import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account } from '../options.ts';
import { ADA, startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

/** An account of one test: code, then authenticator app or e-mail. */
let account: Account;
let count = 0;
beforeEach(async () => {
  account = await put({});
});

async function put(signIn: object): Promise<Account> {
  const id = `account-${++count}`;
  const made = { ...ADA, id, api_key: `sk-${id}`, sign_in: { one_time_code: true, second_factors: ['app', 'email'], ...signIn } };
  await sandbox.control('POST', '/accounts', made);
  return made as Account;
}

interface Said {
  status: number;
  code?: string;
  token?: string;
  challenge?: Record<string, unknown> & { id: string };
}
async function say(method: string, path: string, body?: unknown, token?: string): Promise<Said> {
  const response = await sandbox.call(method, path, body, token);
  const read = (response.status === 204 ? {} : await response.json()) as Said & { error?: { code: string } };
  return { ...read, status: response.status, ...(read.error && { code: read.error.code }) };
}
const logIn = ({ id, password } = account) => say('POST', '/api/session', { account: id, password });
const answer = (id = '', body: object = {}) => say('POST', `/api/session/challenges/${id}`, body);
const mailed = async () => (await sandbox.codes(account.id)).mails[0]?.code ?? '';
const fromApp = async () => (await sandbox.codes(account.id)).app;
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('an account that asks for more than its password', () => {
  it('opens a session after a code by e-mail and one of its app, and none before', async () => {
    const first = await logIn();
    expect(first).toMatchObject({ status: 202, challenge: { step: 'one_time_code', tries_left: 5, sent_to: 'a…@sandbox.test' } });
    expect(first.token).toBeUndefined();
    const id = first.challenge?.id;
    expect(await answer(id, { code: await mailed() })).toMatchObject({
      status: 202,
      challenge: { step: 'choose_factor', factors: ['app', 'email'] },
    });
    expect(await answer(id, { factor: 'app' })).toMatchObject({ status: 202, challenge: { step: 'second_factor', factor: 'app' } });
    await expect(sandbox.report(account.id)).resolves.toMatchObject({ sessions: 0, challenges: 1 });
    const done = await answer(id, { code: await fromApp() });
    expect(done).toMatchObject({ status: 200, token: expect.stringMatching(/^st_/), account: { id: account.id } });
    await expect(sandbox.report(account.id)).resolves.toMatchObject({ sessions: 1, challenges: 0 });
    expect(await say('GET', '/api/me', undefined, done.token)).toMatchObject({ status: 200, account: account.id });
    expect(await answer(id, { code: await fromApp() })).toMatchObject({ status: 404, code: 'challenge_not_found' });
    expect(await say('DELETE', '/api/session', undefined, done.token)).toMatchObject({ status: 204 });
    expect(await say('GET', '/api/me', undefined, done.token)).toMatchObject({ status: 401 });
  });

  it('takes a second code by e-mail as well, also after the app was chosen', async () => {
    const id = (await logIn()).challenge?.id;
    await answer(id, { code: await mailed() });
    await answer(id, { factor: 'app' });
    expect(await answer(id, { factor: 'email' })).toMatchObject({ challenge: { factor: 'email', sent_to: 'a…@sandbox.test' } });
    expect(await answer(id, { code: await mailed() })).toMatchObject({ status: 200 });
  });

  it.each([
    [{ second_factors: [] }, 'one_time_code'],
    [{ one_time_code: false }, 'choose_factor'],
  ])('asks for what it has only: %j', async (signIn, step) => {
    account = await put(signIn);
    const { challenge } = await logIn();
    expect(challenge).toMatchObject({ step });
    if (step === 'one_time_code') expect(await answer(challenge?.id, { code: await mailed() })).toMatchObject({ status: 200 });
  });

  it('counts wrong codes, and gives up at the fifth', async () => {
    const id = (await logIn()).challenge?.id;
    const code = await mailed();
    for (let left = 4; left > 0; left--) {
      expect(await answer(id, { code: other(code) })).toMatchObject({ status: 401, code: 'wrong_code' });
      expect(await say('GET', `/api/session/challenges/${id}`)).toMatchObject({ challenge: { tries_left: left } });
    }
    expect(await answer(id, { code: other(code) })).toMatchObject({ status: 403, code: 'too_many_tries' });
    expect(await answer(id, { code })).toMatchObject({ status: 404, code: 'challenge_not_found' });
  });

  it('takes a code once, the last one only, and sends four', async () => {
    const id = (await logIn()).challenge?.id;
    const first = await mailed();
    const again = () => say('POST', `/api/session/challenges/${id}/resend`);
    expect(await again()).toMatchObject({ status: 202, challenge: { sends_left: 2 } });
    if (first !== (await mailed())) expect(await answer(id, { code: first })).toMatchObject({ code: 'wrong_code' });
    await answer(id, { code: await mailed() });
    expect(await again()).toMatchObject({ status: 409, code: 'other_step' });
    await answer(id, { factor: 'email' });
    await again();
    expect(await again()).toMatchObject({ status: 429, code: 'too_many_codes' });
  });

  it('refuses a code of the app that was used, and codes and sign-ins that are too old', async () => {
    account = await put({ one_time_code: false });
    const app = async () => {
      const id = (await logIn()).challenge?.id;
      await answer(id, { factor: 'app' });
      return id;
    };
    const code = await fromApp();
    expect(await answer(await app(), { code })).toMatchObject({ status: 200 });
    expect(await answer(await app(), { code })).toMatchObject({ code: 'wrong_code' });
    expect(await answer(await app(), { code: await fromApp() })).toMatchObject({ status: 200 });

    account = await put({ code_ttl_ms: 0 });
    const late = (await logIn()).challenge?.id;
    expect(await answer(late, { code: await mailed() })).toMatchObject({ status: 401, code: 'code_expired' });
    account = await put({ ttl_ms: 0 });
    expect(await answer((await logIn()).challenge?.id, { code: '000000' })).toMatchObject({ status: 410, code: 'challenge_expired' });
  });

  it('takes no answer of another step, no factor it lacks, and nothing after it was given up', async () => {
    account = await put({ second_factors: ['email'] });
    const id = (await logIn()).challenge?.id;
    expect(await answer(id, { factor: 'email' })).toMatchObject({ status: 409, code: 'other_step' });
    await answer(id, { code: await mailed() });
    expect(await answer(id, { code: '000000' })).toMatchObject({ status: 409, code: 'other_step' });
    expect(await answer(id, { factor: 'app' })).toMatchObject({ status: 422, code: 'unknown_factor' });
    expect(await answer(id, {})).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await say('DELETE', `/api/session/challenges/${id}`)).toMatchObject({ status: 204 });
    await expect(sandbox.report(account.id)).resolves.toMatchObject({ sessions: 0, challenges: 0 });
  });

  it('shows only its owner the codes that were sent', async () => {
    const look = (password: string) =>
      fetch(`${sandbox.url}/devices`, { headers: { authorization: `Basic ${btoa(`${account.id}:${password}`)}` } });
    expect(await (await look(account.password)).text()).toMatch(/newest first:\n {2}none\n/);
    const id = (await logIn()).challenge?.id;
    const [, code, app] = /code: (\d{6})\n\nAuthenticator app: (\d{6}) /.exec(await (await look(account.password)).text()) ?? [];
    await answer(id, { code });
    await answer(id, { factor: 'app' });
    expect(await answer(id, { code: app })).toMatchObject({ status: 200 });
    for (const answered of [await look('wrong'), await fetch(`${sandbox.url}/devices`)]) {
      expect([answered.status, answered.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="devices", charset="UTF-8"']);
    }
  });

  it('meets faults of signing in', async () => {
    const fault = (name: string) => sandbox.control('POST', `/accounts/${account.id}/faults`, { fault: name, on: 'sign_in' });
    await fault('server_error');
    expect(await logIn()).toMatchObject({ status: 500 });
    const id = (await logIn()).challenge?.id;
    const code = await mailed();
    await fault('lost_answer');
    await expect(answer(id, { code })).rejects.toThrow('fetch failed');
    expect(await say('GET', `/api/session/challenges/${id}`)).toMatchObject({ challenge: { step: 'choose_factor' } });
  });
});
