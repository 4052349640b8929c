import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { sql } from './members.ts';
import { operate } from './operator.ts';
import { type SignedIn, signInAs } from './people.ts';

describe('the workspaces of a person', () => {
  let fixture: TestFixture;
  let workspace: string;
  let owner: SignedIn;
  let member: SignedIn;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(async () => {
    workspace = (await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'acme' }, 201)).id;
    owner = await signInAs(fixture, { roles: { [workspace]: 'owner' } });
    member = await signInAs(fixture, { roles: { [workspace]: 'member' } });
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const at = (path: string) => `/me/v1/workspaces/${workspace}/${path}`;
  const refusalOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as ErrorBody).error.code];
  const roles = () => sql<{ user_id: string; role: string }>(fixture, 'SELECT * FROM memberships WHERE workspace_id = $1', [workspace]);

  it('are listed with the role, and no others', async () => {
    const { body, headers } = await member.call('GET', '/me/v1/workspaces');
    expect(body).toEqual([expect.objectContaining({ id: workspace, name: 'acme', status: 'active', role: 'member' })]);
    expect(headers.get('x-total-count')).toBe('1');
  });

  it('are owned by the person who creates them, at once; programs leave them without members', async () => {
    const admin = await signInAs(fixture, { instanceRole: 'admin' });
    const { access_token: key } = (await admin.call<{ access_token: string }>('POST', '/me/v1/admin-token')).body;
    const made = await call<{ id: string }>(`${fixture.edge.url}/admin/v1/workspaces`, { method: 'POST', key, body: { name: 'new' } });
    expect(made.status).toBe(201);
    const { body } = await admin.call('GET', '/me/v1/workspaces');
    expect(body).toEqual([expect.objectContaining({ id: made.body.id, name: 'new', role: 'owner' })]);
    expect((await admin.call('GET', `/me/v1/workspaces/${made.body.id}/members`)).status).toBe(200);
    expect(refusalOf(await admin.call('DELETE', `/me/v1/workspaces/${made.body.id}/membership`))).toEqual([409, 'LAST_OWNER']);
    const [entry] = await sql<{ details: object }>(
      fixture,
      `SELECT details FROM audit_log WHERE action = 'workspace.create' AND target_id = $1`,
      [made.body.id],
    );
    expect(entry?.details).toMatchObject({ owner_id: admin.userId });
    const { id } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'of a program' }, 201);
    expect(await sql(fixture, 'SELECT FROM memberships WHERE workspace_id = $1', [id])).toEqual([]);
  });

  it('show their members to members only', async () => {
    const { body } = await member.call<{ user_id: string; role: string; email: string }[]>('GET', at('members'));
    expect(body.map(({ user_id, role, email }) => [user_id, role, email]).sort()).toEqual(
      [
        [owner.userId, 'owner', `${owner.userId}@example.com`],
        [member.userId, 'member', `${member.userId}@example.com`],
      ].sort(),
    );
    const stranger = await signInAs(fixture);
    expect(refusalOf(await stranger.call('GET', at('members')))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('show what was used to admins, whose names people know', async () => {
    const { usageGroups } = fixture.services;
    await member.call('GET', '/me/v1/usage');
    const [key] = await sql<{ id: string }>(fixture, 'SELECT id FROM api_keys WHERE user_id = $1', [member.userId]);
    usageGroups.ids = [key?.id ?? ''];
    const { status, body } = await owner.call('GET', at('usage?by=key'));
    expect([status, body]).toMatchObject([200, { by: 'key', groups: [{ id: key?.id, name: 'A person (signed in)' }] }]);
    expect(usageGroups.calls.at(-1)).toMatchObject({ workspaceId: workspace, keyId: '' });
    expect(refusalOf(await member.call('GET', at('usage')))).toEqual([403, 'PERMISSION_DENIED']);
    expect((await owner.call('GET', at('usage?since=2026-06-01&until=2026-06-30'))).body).toMatchObject({
      ...{ period: null, since: '2026-06-01', until: '2026-06-30', by: 'key' },
    });
    expect(usageGroups.asked).toEqual({ period: '', since: '2026-06-01', until: '2026-06-30' });
    for (const wrong of [
      'since=2026-06-01',
      'until=2026-06-01',
      'period=7d&since=2026-06-01&until=2026-06-02',
      'by=hour&since=2026-06-01&until=2026-06-02',
      'since=x&until=y',
    ]) {
      expect(refusalOf(await owner.call('GET', at(`usage?${wrong}`)))).toEqual([422, 'VALIDATION_ERROR']);
    }
    expect(refusalOf(await owner.call('GET', at('usage?by=workspace')))).toEqual([422, 'VALIDATION_ERROR']);
    expect((await owner.call('GET', at('usage?workspace_id=all'))).status).toBe(200);
    expect(usageGroups.calls.at(-1)).toMatchObject({ workspaceId: workspace });
  });

  it('are left at once, with the keys that the person has there', async () => {
    const { body } = await member.call<{ id: string; key: string }>('POST', at('keys'), { name: 'mine' });
    expect((await call(`${fixture.edge.url}/v1/models`, { key: body.key })).status).toBe(200);
    expect((await member.call('DELETE', at('membership'))).status).toBe(204);
    expect(refusalOf(await call(`${fixture.edge.url}/v1/models`, { key: body.key }))).toEqual([401, 'REVOKED_API_KEY']);
    expect(refusalOf(await member.call('GET', `/me/v1/usage?workspace_id=${workspace}`))).toEqual([403, 'PERMISSION_DENIED']);
    expect((await member.call('GET', '/me/v1/workspaces')).body).toEqual([]);
    expect(await roles()).toMatchObject([{ user_id: owner.userId }]);
    const [entry] = await sql(fixture, "SELECT * FROM audit_log WHERE action = 'membership.leave' AND target_id = $1", [member.userId]);
    expect(entry).toMatchObject({ actor_id: member.userId, workspace_id: workspace, details: { role_before: 'member', keys_revoked: 1 } });
  });

  it('keep one owner, however many leave at once', async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => signInAs(fixture, { roles: { [workspace]: 'owner' } })));
    const answers = await Promise.all([owner, ...others].map((one) => one.call('DELETE', at('membership'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 409]);
    expect(refusalOf(answers.find(({ status }) => status === 409) as never)).toEqual([409, 'LAST_OWNER']);
    expect((await roles()).filter(({ role }) => role === 'owner')).toHaveLength(1);
  });
});
