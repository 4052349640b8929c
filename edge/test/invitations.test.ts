import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { signInAs } from './people.ts';
import { cookieOf, operate, PASSWORD, type SessionBody, sql, tally, tokenOf, visit, withPassword } from './visitors.ts';

interface Invitation {
  id: string;
  url: string;
  status: string;
  email: string;
}

const MEMBER = { workspace_id: DEFAULT_WORKSPACE_ID, workspace_role: 'member' };
const AS_MEMBER = { instance_role: null, memberships: [{ workspace_id: DEFAULT_WORKSPACE_ID, role: 'member' }] };

describe('invitations', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const newEmail = () => `${uuidv7()}@example.com`;
  const invite = async (email: string, roles: object = MEMBER) =>
    (await operate<Invitation>(fixture, 'POST', '/admin/v1/invitations', { email, ...roles })).body;
  const accept = (body: object, headers?: Record<string, string>) =>
    visit<SessionBody & ErrorBody>(fixture, 'POST', '/me/v1/invitations/accept', body, headers);
  const inspect = (token: string) => visit<object>(fixture, 'POST', '/me/v1/invitations/inspect', { token });
  const newcomer = { display_name: 'Ada', password: PASSWORD };

  it('make a person with the email and the role of the invitation, and nothing else', async () => {
    const email = newEmail();
    const made = await invite(email.toUpperCase());
    expect(made).toMatchObject({ email, status: 'open', ...MEMBER, instance_role: null, invited_by: 'operator' });
    expect(made.url).toMatch(new RegExp(`^${fixture.edge.url}/console/invitation#[\\w-]{43}$`));
    const token = tokenOf(made.url);
    expect((await inspect(token)).body).toEqual({
      ...{ email, ...MEMBER, instance_role: null, workspace_name: 'default', invited_by: null, has_account: false },
      expires_at: expect.any(String),
    });
    const more = { email: 'evil@example.com', instance_role: 'owner', workspace_role: 'owner', role: 'owner' };
    const { status, body } = await accept({ token, ...newcomer, ...more });
    expect([status, body.user.email, body.rights]).toEqual([200, email, AS_MEMBER]);
    expect(tally([await accept({ token, ...newcomer }), await inspect(token)])).toEqual({ '410 LINK_NOT_VALID': 2 });
    expect((await visit(fixture, 'POST', '/me/v1/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('are for others: users cannot invite themselves, in any spelling, and the operator may invite all', async () => {
    const email = newEmail();
    const person = await signInAs(fixture, { email, instanceRole: 'admin', roles: {} });
    const token = (await person.call<{ access_token: string }>('POST', '/me/v1/admin-token')).body.access_token;
    const ask = (whom: string) =>
      visit<ErrorBody>(fixture, 'POST', '/admin/v1/invitations', { email: whom, ...MEMBER }, { authorization: `Bearer ${token}` });
    const refused = await ask(email.toUpperCase());
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([422, 'VALIDATION_ERROR', 'email']);
    expect((await ask(newEmail())).status).toBe(201);
    expect((await invite(email)).email).toBe(email);
  });

  it('are used once, however many accept at the same time', async () => {
    const token = tokenOf((await invite(newEmail())).url);
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept({ token, ...newcomer })));
    const { '200': made, ...refused } = tally(answers);
    expect(made).toBe(1);
    const known = ['410 LINK_NOT_VALID', '409 EMAIL_TAKEN', '503 SERVICE_UNAVAILABLE'];
    expect(Object.keys(refused).filter((one) => !known.includes(one))).toEqual([]);
  });

  it('let the person with the email join, with a new cookie, and no other user', async () => {
    const ada = await withPassword(fixture);
    const eve = await signInAs(fixture);
    const token = tokenOf((await invite(ada.email)).url);
    expect((await inspect(token)).body).toMatchObject({ has_account: true });
    const refused = [
      await eve.call('POST', '/me/v1/invitations/accept', { token }),
      await accept({ token, ...newcomer }),
      await ada.call('POST', '/me/v1/invitations/accept', { token }, { 'x-csrf-token': eve.csrf }),
    ];
    expect(tally(refused)).toEqual({ '410 LINK_NOT_VALID': 1, '409 EMAIL_TAKEN': 1, '403 CSRF_REJECTED': 1 });
    const joined = await ada.call<SessionBody>('POST', '/me/v1/invitations/accept', { token });
    expect([joined.status, joined.body.id, joined.body.rights]).toEqual([200, ada.sessionId, AS_MEMBER]);
    expect((await ada.call('GET', '/me/v1/session')).status).toBe(401);
    const renewed = await visit<SessionBody>(fixture, 'GET', '/me/v1/session', undefined, { cookie: cookieOf(joined) });
    expect(renewed.body.rights).toEqual(AS_MEMBER);
  });

  it('take no role away', async () => {
    const ada = await signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: 'admin' }, instanceRole: 'auditor' });
    const token = tokenOf((await invite(`${ada.userId}@example.com`)).url);
    const { body } = await ada.call<SessionBody>('POST', '/me/v1/invitations/accept', { token });
    expect(body.rights).toEqual({ instance_role: 'auditor', memberships: [{ workspace_id: DEFAULT_WORKSPACE_ID, role: 'admin' }] });
  });

  it('wait for the second factor that is demanded', async () => {
    const email = newEmail();
    const ada = await signInAs(fixture, { email, requiresSecondFactor: true });
    const token = tokenOf((await invite(email)).url);
    expect(tally([await ada.call('POST', '/me/v1/invitations/accept', { token })])).toEqual({ '403 SECOND_FACTOR_REQUIRED': 1 });
  });

  it.each([
    ['expired', (id: string) => sql(fixture, 'UPDATE edge.invitations SET expires_at = now() WHERE id = $1', [id])],
    ['revoked', (id: string) => operate(fixture, 'DELETE', `/admin/v1/invitations/${id}`)],
    ['replaced by a newer one', (_id: string, email: string) => invite(email)],
  ])('that are %s are good for nothing', async (_name, end) => {
    const email = newEmail();
    const { id, url } = await invite(email);
    await end(id, email);
    const token = tokenOf(url);
    expect(tally([await inspect(token), await accept({ token, ...newcomer })])).toEqual({ '410 LINK_NOT_VALID': 2 });
  });

  it('end with the rights of the person who invites', async () => {
    const admin = await signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: 'admin' } });
    const { id, url } = await invite(newEmail());
    await sql(fixture, 'UPDATE edge.invitations SET invited_by = $2 WHERE id = $1', [id, `user:${admin.userId}`]);
    const token = tokenOf(url);
    expect((await inspect(token)).body).toMatchObject({ invited_by: 'A person' });
    await sql(fixture, `UPDATE edge.memberships SET role = 'member' WHERE user_id = $1`, [admin.userId]);
    expect(tally([await accept({ token, ...newcomer })])).toEqual({ '410 LINK_NOT_VALID': 1 });
    await sql(fixture, `UPDATE edge.memberships SET role = 'admin' WHERE user_id = $1`, [admin.userId]);
    expect((await accept({ token, ...newcomer })).status).toBe(200);
  });

  it('end with the service account that invites', async () => {
    const role = { workspace_id: DEFAULT_WORKSPACE_ID, workspace_role: 'admin' };
    const { body: account } = await operate<{ id: string; client_id: string }>(fixture, 'POST', '/admin/v1/service-accounts', {
      name: 'hr',
      ...role,
    });
    const invited = await Promise.all([invite(newEmail()), invite(newEmail()), invite(newEmail())]);
    const by = `service_account:${account.id}`;
    for (const { id } of invited) await sql(fixture, 'UPDATE edge.invitations SET invited_by = $2 WHERE id = $1', [id, by]);
    const [first = '', second = '', third = ''] = invited.map(({ url }) => tokenOf(url));
    expect((await accept({ token: first, ...newcomer })).status).toBe(200);
    const path = `/admin/v1/service-accounts/${account.id}`;
    await operate(fixture, 'PATCH', path, { workspace_role: 'member' });
    expect(tally([await accept({ token: second, ...newcomer })])).toEqual({ '410 LINK_NOT_VALID': 1 });
    await operate(fixture, 'PATCH', path, { workspace_role: 'admin', status: 'disabled' });
    expect(tally([await accept({ token: second, ...newcomer })])).toEqual({ '410 LINK_NOT_VALID': 1 });
    await operate(fixture, 'PATCH', path, { status: 'active' });
    expect((await accept({ token: second, ...newcomer })).status).toBe(200);
    await operate(fixture, 'DELETE', path);
    expect(tally([await accept({ token: third, ...newcomer })])).toEqual({ '410 LINK_NOT_VALID': 1 });
  });

  it('are listed without their links, by workspace', async () => {
    const { body: workspace } = await operate<{ id: string }>(fixture, 'POST', '/admin/v1/workspaces', { name: 'Lab' });
    const email = newEmail();
    const { id } = await invite(email, { workspace_id: workspace.id, workspace_role: 'viewer' });
    const { body, headers } = await operate<Invitation[]>(fixture, 'GET', `/admin/v1/invitations?workspace_id=${workspace.id}`);
    expect([headers.get('x-total-count'), body]).toEqual(['1', [expect.objectContaining({ id, email, status: 'open' })]]);
    expect(JSON.stringify(body)).not.toContain('url');
    expect((await operate(fixture, 'DELETE', `/admin/v1/invitations/${id}`)).status).toBe(204);
    expect((await operate(fixture, 'DELETE', `/admin/v1/invitations/${id}`)).status).toBe(404);
  });

  it.each([
    ['no role', {}, 'body'],
    ['a workspace without a role', { workspace_id: DEFAULT_WORKSPACE_ID }, 'workspace_role'],
    ['a role without a workspace', { workspace_role: 'member' }, 'workspace_role'],
    ['an unknown workspace', { workspace_id: uuidv7(), workspace_role: 'member' }, 'workspace_id'],
    ['an unknown role', { instance_role: 'root' }, 'instance_role'],
  ])('are refused with %s', async (_name, roles, param) => {
    const answer = await operate<ErrorBody>(fixture, 'POST', '/admin/v1/invitations', { email: newEmail(), ...roles });
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
  });

  it('need a name and a password for an account', async () => {
    const token = tokenOf((await invite(newEmail())).url);
    const answers = [
      await accept({ token }),
      await accept({ token, display_name: 'Ada' }),
      await accept({ token, ...newcomer, password: 'short' }),
    ];
    expect(answers.map(({ body }) => body.error.param)).toEqual(['display_name', 'password', 'password']);
    expect((await inspect(token)).status).toBe(200);
  });
});

describe('links to set a password', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const NEXT = 'five loud mountain trains';
  const makeLink = async (userId: string) =>
    tokenOf((await operate<{ url: string }>(fixture, 'POST', `/admin/v1/users/${userId}/reset-link`)).body.url);
  const reset = (token: string, password = NEXT) => visit<ErrorBody>(fixture, 'POST', '/me/v1/password/reset', { token, password });

  it('set it once, and end every session', async () => {
    const ada = await withPassword(fixture);
    const [old, token] = [await makeLink(ada.userId), await makeLink(ada.userId)];
    expect(tally([await reset(old), await reset(token, 'password1234'), await reset(token), await reset(token)])).toEqual({
      '410 LINK_NOT_VALID': 2,
      '422 VALIDATION_ERROR': 1,
      '204': 1,
    });
    expect((await ada.call('GET', '/me/v1/session')).status).toBe(401);
    const signIns = [];
    for (const password of [PASSWORD, NEXT]) signIns.push(await visit(fixture, 'POST', '/me/v1/sign-in', { email: ada.email, password }));
    expect(signIns.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('are used once, however many use one at the same time', async () => {
    const ada = await withPassword(fixture);
    const token = await makeLink(ada.userId);
    const {
      '204': used,
      '410 LINK_NOT_VALID': late = 0,
      '503 SERVICE_UNAVAILABLE': busy = 0,
    } = tally(await Promise.all(Array.from({ length: 50 }, () => reset(token))));
    expect([used, late + busy]).toEqual([1, 49]);
  });

  it('are not for who cannot sign in', async () => {
    const ada = await withPassword(fixture);
    const token = await makeLink(ada.userId);
    await operate(fixture, 'PATCH', `/admin/v1/users/${ada.userId}`, { status: 'disabled' });
    expect(tally([await reset(token)])).toEqual({ '410 LINK_NOT_VALID': 1 });
    const { body } = await operate<{ id: string }>(fixture, 'POST', '/admin/v1/users', { display_name: 'Robot' });
    const answers = [
      await operate(fixture, 'POST', `/admin/v1/users/${body.id}/reset-link`),
      await operate(fixture, 'POST', `/admin/v1/users/${uuidv7()}/reset-link`),
    ];
    expect(tally(answers)).toEqual({ '422 VALIDATION_ERROR': 1, '404 not_found': 1 });
  });

  it('people have emails of their own, whatever the spelling', async () => {
    const email = `${uuidv7()}@example.com`;
    const make = (body: object) =>
      operate<{ id: string; email: string }>(fixture, 'POST', '/admin/v1/users', { display_name: 'Ada', ...body });
    const made = await make({ email: email.toUpperCase(), instance_role: 'owner', requires_second_factor: true });
    expect(made.body).toMatchObject({ email, instance_role: null, requires_second_factor: false, last_sign_in_at: null });
    const other = await make({});
    const taken = [await make({ email }), await operate(fixture, 'PATCH', `/admin/v1/users/${other.body.id}`, { email })];
    expect(tally(taken)).toEqual({ '409 EMAIL_TAKEN': 2 });
  });

  it('demand a second factor at once, in sessions that are open', async () => {
    const ada = await signInAs(fixture);
    expect((await ada.call('GET', '/me/v1/profile')).status).toBe(200);
    await operate(fixture, 'PATCH', `/admin/v1/users/${ada.userId}`, { requires_second_factor: true });
    expect(tally([await ada.call('GET', '/me/v1/profile')])).toEqual({ '403 SECOND_FACTOR_REQUIRED': 1 });
  });

  it('a disabled person has no session any more, also when enabled again; the last owner stays', async () => {
    const [ada, grace] = [await signInAs(fixture, { instanceRole: 'owner' }), await signInAs(fixture, { instanceRole: 'owner' })];
    const change = (userId: string, body: object) => operate(fixture, 'PATCH', `/admin/v1/users/${userId}`, body);
    const both = await Promise.all([ada, grace].map(({ userId }) => change(userId, { status: 'disabled' })));
    expect(tally(both)).toEqual({ '200': 1, '409 LAST_OWNER': 1 });
    const gone = both[0]?.status === 200 ? ada : grace;
    expect((await gone.call('GET', '/me/v1/session')).status).toBe(401);
    await change(gone.userId, { status: 'active' });
    expect((await gone.call('GET', '/me/v1/session')).status).toBe(401);
  });
});
