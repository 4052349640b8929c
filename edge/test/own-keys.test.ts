import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { setRole, sql } from './members.ts';
import { operate } from './operator.ts';
import { type SignedIn, signInAs } from './people.ts';

interface Key {
  id: string;
  key: string;
  name: string;
  scopes: string[];
  user_id: string;
  workspace_id: string;
  quotas: { requests: string | null };
}

describe('own keys', () => {
  let fixture: TestFixture;
  let workspace: string;
  let ada: SignedIn;
  let bob: SignedIn;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(async () => {
    const body = { name: 'acme', quotas: { requests: '1000 per 1 day' } };
    workspace = (await operate<{ id: string }>(fixture, 'POST', 'workspaces', body, 201)).id;
    ada = await signInAs(fixture, { roles: { [workspace]: 'member' } });
    bob = await signInAs(fixture, { roles: { [workspace]: 'owner' } });
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const pathOf = (id = '', of = workspace) => `/me/v1/workspaces/${of}/keys${id === '' ? '' : `/${id}`}`;
  const make = (person: SignedIn, fields: object = {}, of = workspace) =>
    person.call<Key & ErrorBody>('POST', pathOf('', of), { name: 'mine', ...fields });
  const refusalOf = ({ status, body }: { status: number; body: unknown }) => {
    const { code, param } = (body as ErrorBody).error;
    return [status, code, param];
  };

  it('tell their person what they were used for, and nothing of other keys', async () => {
    const usage = (person: SignedIn) => person.call<{ groups: unknown[] }>('GET', pathOf('usage'));
    const { usageGroups } = fixture.services;
    const calls = usageGroups.calls.length;
    expect((await usage(ada)).body.groups).toEqual([]);
    expect(usageGroups.calls).toHaveLength(calls);
    const [mine] = [(await make(ada)).body.id, await make(bob)];
    expect((await usage(ada)).status).toBe(200);
    expect([usageGroups.keyIds, usageGroups.calls.at(-1)]).toMatchObject([[mine], { workspaceId: workspace, keyId: '' }]);
    const stranger = await signInAs(fixture);
    expect((await usage(stranger)).status).toBe(403);
  });

  it('are shown once, act for their person in the workspace, and stop at once', async () => {
    const { status, body, headers } = await make(ada, { scopes: ['chat'] });
    expect([status, headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    expect((await call(`${fixture.edge.url}/v1/models`, { key: body.key })).status).toBe(200);
    const { body: listed } = await ada.call<Key[]>('GET', pathOf());
    expect(listed).toMatchObject([{ id: body.id, name: 'mine', user_id: ada.userId, workspace_id: workspace, scopes: ['chat'] }]);
    expect(JSON.stringify(listed)).not.toContain(body.key);
    expect((await ada.call('DELETE', pathOf(body.id))).status).toBe(200);
    expect((await call<ErrorBody>(`${fixture.edge.url}/v1/models`, { key: body.key })).status).toBe(401);
  });

  it.each(['owner', 'member'] as const)('are hidden from others: %s', async (role) => {
    const { body } = await make(ada);
    const other = await signInAs(fixture, { roles: { [workspace]: role } });
    expect((await other.call<Key[]>('GET', pathOf())).body).toEqual([]);
    const attempts = [await other.call('PATCH', pathOf(body.id), { name: 'taken' }), await other.call('DELETE', pathOf(body.id))];
    expect(attempts.map(refusalOf)).toEqual(Array(2).fill([404, 'not_found', 'key_id']));
    expect((await call(`${fixture.edge.url}/v1/models`, { key: body.key })).status).toBe(200);
  });

  it('are not reached through another workspace, and the hidden key not at all', async () => {
    const { id: second } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'second' }, 201);
    const both = await signInAs(fixture, { roles: { [workspace]: 'member', [second]: 'member' } });
    const { body } = await make(both);
    expect(refusalOf(await both.call('DELETE', pathOf(body.id, second)))).toEqual([404, 'not_found', 'key_id']);
    await both.call('GET', `/me/v1/usage?workspace_id=${workspace}`);
    const [hidden] = await sql<{ id: string }>(fixture, 'SELECT id FROM api_keys WHERE user_id = $1 AND is_personal', [both.userId]);
    expect(refusalOf(await both.call('DELETE', pathOf(hidden?.id)))).toEqual([404, 'not_found', 'key_id']);
    expect(refusalOf(await both.call('PATCH', pathOf(hidden?.id), { name: 'x' }))).toEqual([404, 'not_found', 'key_id']);
  });

  it('are created neither for another user nor in a workspace of others', async () => {
    const { id: other } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'other' }, 201);
    expect(refusalOf(await make(ada, {}, other))).toEqual([403, 'PERMISSION_DENIED', 'own_keys.write']);
    expect(refusalOf(await make(ada, {}, uuidv7()))).toEqual([403, 'PERMISSION_DENIED', 'own_keys.write']);
    const { body } = await make(ada, { user_id: bob.userId, workspace_id: other, is_personal: true, revoked_at: null });
    expect((await ada.call<Key[]>('GET', pathOf())).body).toMatchObject([{ id: body.id, user_id: ada.userId, workspace_id: workspace }]);
  });

  it('are not made by who only reads, at once after the role is lost', async () => {
    expect((await make(ada)).status).toBe(201);
    await setRole(fixture, ada.userId, workspace, 'viewer');
    let last = await make(ada);
    for (let n = 0; n < 50 && last.status !== 403; n++) last = await make(ada);
    expect(refusalOf(last)).toEqual([403, 'PERMISSION_DENIED', 'own_keys.write']);
  });

  it.each([
    ['an unknown scope', { scopes: ['admin'] }, 'scopes.0'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an end that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an unknown project', { project: 'unknown' }, 'project'],
    ['more requests than the workspace', { quotas: { requests: '1001 per 1 day' } }, 'quotas.requests'],
    ['as many in less time', { quotas: { requests: '1000 per 1 hour' } }, 'quotas.requests'],
    ['no end of requests', { quotas: { requests: 'unlimited' } }, 'quotas.requests'],
  ])('are refused with %s', async (_name, fields, param) => {
    expect(refusalOf(await make(ada, fields))).toEqual([422, 'VALIDATION_ERROR', param]);
  });

  it('are not bound to the project of another workspace', async () => {
    await operate(fixture, 'PUT', 'internal-projects/theirs', { name: 'Theirs', policy: 'allow_general' });
    expect(refusalOf(await make(ada, { project: 'theirs' }))).toEqual([422, 'VALIDATION_ERROR', 'project']);
  });

  it('have their quotas lowered and never raised', async () => {
    const { body } = await make(ada, { quotas: { requests: '100 per 1 day' } });
    const change = (requests: string | null) => ada.call<Key>('PATCH', pathOf(body.id), { name: 'renamed', quotas: { requests } });
    for (const more of ['101 per 1 day', '100 per 1 hour', '700 per 7 days', 'unlimited', null]) {
      expect((await change(more)).status).toBe(422);
    }
    expect((await ada.call<Key[]>('GET', pathOf())).body).toMatchObject([{ name: 'mine', quotas: { requests: '100 per 1 day' } }]);
    const lowered = await change('50 per 1 day');
    expect([lowered.status, lowered.body.name, lowered.body.quotas.requests]).toEqual([200, 'renamed', '50 per 1 day']);
    expect((await change('100 per 1 day')).status).toBe(422);
  });

  it('leave an entry of each change in the audit log, without the key', async () => {
    const { body } = await make(ada);
    await ada.call('PATCH', pathOf(body.id), { name: 'renamed' });
    await ada.call('DELETE', pathOf(body.id));
    await ada.call('DELETE', pathOf(body.id));
    const entries = await sql<{ action: string; actor: string; actor_id: string; session_id: string; details: object }>(
      fixture,
      'SELECT action, actor, actor_id, session_id, details FROM audit_log WHERE target_id = $1 ORDER BY seq',
      [body.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(['key.create', 'key.update', 'key.revoke']);
    for (const entry of entries) expect(entry).toMatchObject({ actor: 'user', actor_id: ada.userId, session_id: ada.sessionId });
    expect(JSON.stringify(entries)).not.toContain(body.key.slice('gmk_live_'.length));
  });
});
