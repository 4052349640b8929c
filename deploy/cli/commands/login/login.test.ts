import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeGateway, type Replies, startFakeGateway, TOKEN } from '../../testing/fake-gateway.ts';
import { runCli } from '../../testing/run-cli.ts';

const COOKIE = `parley_session=${'a'.repeat(43)}`;
const SESSION = { body: { id: 's', csrf_token: 'csrf' }, headers: { 'set-cookie': `${COOKIE}; Path=/; HttpOnly; SameSite=Lax` } };
const CLAIMS = { kind: 'user', sub: 'u1', roles: { instance_role: 'owner', memberships: [] } };
const JWT = `x.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}.x`;
const asToken = (access_token: string) => ({ body: { access_token, token_type: 'Bearer', expires_in: 600 } });
const REPLIES: Replies = {
  'POST /me/v1/sign-in': SESSION,
  'POST /me/v1/sign-out': { body: { sign_out_url: null } },
  'POST /me/v1/admin-token': asToken(JWT),
  'GET /admin/v1/keys': { body: [] },
};

describe('parley login', () => {
  let state: string;
  let gateway: FakeGateway;
  beforeEach(async () => {
    state = await mkdtemp(join(tmpdir(), 'parley-login-'));
  });
  afterEach(async () => {
    await gateway[Symbol.asyncDispose]();
    await rm(state, { recursive: true });
  });
  const start = async (replies: Replies = {}) => (gateway = await startFakeGateway({ ...REPLIES, ...replies }));
  const cli = (args: string[], stdin = '') => runCli(gateway.url, args, { env: { XDG_STATE_HOME: state, PARLEY_OPERATOR_KEY: '' }, stdin });
  const file = () => join(state, 'parley', 'logins.json');

  it('keeps the session for its user alone, and later commands act with it', async () => {
    await start();
    const { code, stdout } = await cli(['login', '--email', 'ada@example.com'], 'correct horse\n');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('as ada@example.com') });
    expect(gateway.seen[0]).toMatchObject({
      body: { email: 'ada@example.com', password: 'correct horse' },
      headers: { origin: gateway.url },
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readFile(file(), 'utf8')).not.toContain('correct horse');
    expect((await cli(['keys', 'list'])).code).toBe(0);
    const [asked, listed] = gateway.seen.slice(-2);
    expect(asked).toMatchObject({ path: '/me/v1/admin-token', headers: { cookie: COOKIE, 'x-csrf-token': 'csrf', origin: gateway.url } });
    expect(listed?.headers.authorization).toBe(`Bearer ${JWT}`);
    expect((await cli(['whoami'])).stdout).toBe(`user u1 at ${gateway.url}\nowner of the gateway\n`);
  });

  it.each([
    ['123456', { code: '123456' }],
    ['abcd-efgh-ijkl', { recovery_code: 'abcd-efgh-ijkl' }],
  ])('asks for a second factor (%s)', async (given, shown) => {
    await start({
      'POST /me/v1/sign-in': { body: { status: 'second_factor_required', token: 't', methods: ['totp', 'recovery_code'] } },
      'POST /me/v1/sign-in/second-factor': SESSION,
    });
    expect((await cli(['login'], `ada@example.com\ncorrect horse\n${given}\n`)).code).toBe(0);
    expect(gateway.seen.at(-1)?.body).toEqual({ token: 't', ...shown });
  });

  it('says that a passkey needs a browser', async () => {
    await start({ 'POST /me/v1/sign-in': { body: { status: 'second_factor_required', token: 't', methods: ['passkey'] } } });
    expect((await cli(['login'], 'ada@example.com\ncorrect horse\n')).stderr).toMatch(/needs a browser/);
  });

  it('keeps nothing when it is refused', async () => {
    await start({ 'POST /me/v1/sign-in': { status: 401, body: { error: { code: 'SIGN_IN_FAILED', message: 'wrong' } } } });
    expect(await cli(['login'], 'ada@example.com\nwrong\n')).toEqual({ code: 1, stdout: '', stderr: 'parley: wrong [SIGN_IN_FAILED]\n' });
    await expect(stat(file())).rejects.toThrow();
  });

  it('is ended by logout, here and there', async () => {
    await start();
    await cli(['login', '--email', 'ada@example.com'], 'correct horse\n');
    expect((await cli(['logout'])).stdout).toMatch(/^Signed out/);
    expect(gateway.seen.at(-1)).toMatchObject({ path: '/me/v1/sign-out', headers: { cookie: COOKIE, 'x-csrf-token': 'csrf' } });
    await expect(stat(file())).rejects.toThrow();
    expect((await cli(['logout'])).stdout).toMatch(/^There was no login/);
  });

  it('is not used beside a credential in the environment', async () => {
    await start();
    await cli(['login', '--email', 'ada@example.com'], 'correct horse\n');
    await runCli(gateway.url, ['keys', 'list'], { env: { XDG_STATE_HOME: state } });
    expect(gateway.seen.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});
