import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { signInAs } from './people.ts';

describe('login sessions', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  it('show who is signed in, with the roles of now', async () => {
    const ada = await signInAs(fixture, { email: 'ada@example.com', roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
    const { status, body, headers } = await ada.call('GET', '/me/v1/session');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      id: ada.sessionId,
      user: { id: ada.userId, email: 'ada@example.com' },
      rights: { instance_role: null, memberships: [{ workspace_id: DEFAULT_WORKSPACE_ID, role: 'member' }] },
      csrf_token: ada.csrf,
    });
  });

  it.each([
    ['no cookie', undefined],
    ['an unknown token', `parley_session=${'a'.repeat(43)}`],
    ['two tokens', `parley_session=${'a'.repeat(43)}; parley_session=${'b'.repeat(43)}`],
    ['text that is no token', 'parley_session=%00'],
  ])('are refused with %s', async (_name, cookie) => {
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/me/v1/session`, {
      headers: cookie === undefined ? {} : { cookie },
    });
    expect([status, body.error.code]).toEqual([401, 'SIGN_IN_REQUIRED']);
  });

  it('open nothing but the set-up of a second factor where one is demanded', async () => {
    const one = await signInAs(fixture, { requiresSecondFactor: true });
    expect((await one.call('GET', '/me/v1/session')).body).toMatchObject({ second_factor_required: true });
  });

  it('say nothing to the data plane and the control plane', async () => {
    const ada = await signInAs(fixture, { instanceRole: 'owner' });
    for (const [path, code] of [
      ['/v1/models', 'MISSING_API_KEY'],
      ['/admin/v1/keys', 'INVALID_ADMIN_TOKEN'],
    ] as const) {
      const { status, body } = await ada.call<ErrorBody>('GET', path);
      expect([status, body.error.code]).toEqual([401, code]);
    }
  });
});
