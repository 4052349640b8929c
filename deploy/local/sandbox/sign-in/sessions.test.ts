import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADA, startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

async function codeOf(response: Response): Promise<unknown> {
  return [response.status, await response.json()];
}

describe('sessions', () => {
  it('signs an account in', async () => {
    const response = await sandbox.call('POST', '/api/session', { account: 'ada', password: 'secret' });
    expect(await codeOf(response)).toEqual([
      200,
      { token: expect.stringMatching(/^st_/), expires_at: expect.stringMatching(/Z$/), account: { id: 'ada', label: 'Ada', tier: 'plus' } },
    ]);
    const token = await sandbox.signIn();
    expect(await codeOf(await sandbox.call('GET', '/api/me', undefined, token))).toEqual([
      200,
      { account: 'ada', label: 'Ada', tier: 'plus' },
    ]);
    expect(await codeOf(await sandbox.call('GET', '/api/models', undefined, token))).toEqual([
      200,
      { models: [{ id: 'sandbox-1' }, { id: 'sandbox-mini' }] },
    ]);
  });

  it.each([
    { account: 'ada', password: 'wrong' },
    { account: 'unknown', password: 'secret' },
  ])('refuses %j', async (login) => {
    const refused = [401, { error: { code: 'bad_credentials', message: expect.any(String) } }];
    expect(await codeOf(await sandbox.call('POST', '/api/session', login))).toEqual(refused);
  });

  it('knows neither a strange token, nor an API key, nor an expired session', async () => {
    const expired = [401, { error: { code: 'session_expired', message: expect.any(String) } }];
    for (const token of [undefined, 'st_unknown', ADA.api_key]) {
      expect(await codeOf(await sandbox.call('GET', '/api/me', undefined, token))).toEqual(expired);
    }
    const brief = { ...ADA, id: 'brief', api_key: 'sk-brief', session_ttl_ms: 0 };
    await sandbox.control('POST', '/accounts', brief);
    const token = await sandbox.signIn(brief);
    expect(await codeOf(await sandbox.call('GET', '/api/me', undefined, token))).toEqual(expired);
  });

  it('ends the sessions of one account on demand', async () => {
    const bob = { ...ADA, id: 'bob', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    const tokens = [await sandbox.signIn(), await sandbox.signIn(bob)];
    await sandbox.control('POST', '/accounts/ada/expire-sessions');
    const statuses = await Promise.all(tokens.map(async (token) => (await sandbox.call('GET', '/api/me', undefined, token)).status));
    expect(statuses).toEqual([401, 200]);
  });
});
