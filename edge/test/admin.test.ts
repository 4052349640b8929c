import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { connection } from './fake-routing.ts';
import { API_KEY, call, captureLog, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { createKey, operate, operatorToken } from './operator.ts';

const UNKNOWN = '01900000-0000-7000-8000-0000000000ff';

describe('the operator’s surface', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    fixture.services.routing.connections = [connection()];
    fixture.services.routing.calls = [];
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const ask = async (method: string, path: string, body?: unknown, as?: string) => {
    const key = as ?? (await operatorToken(fixture));
    return call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, { method, key, ...(body !== undefined && { body }) });
  };

  it('is closed to workspace keys', async () => {
    const { status, body } = await ask('GET', 'keys', undefined, API_KEY);
    expect([status, body.error.code]).toEqual([401, 'INVALID_ADMIN_TOKEN']);
  });

  it.each(['', 'gmk_live_', 'operator-key-for-testz', OPERATOR_KEY])('is closed to %j', async (key) => {
    expect((await ask('GET', 'keys', undefined, key)).status).toBe(401);
  });

  describe('keys', () => {
    it('shows a key once and never again', async () => {
      const created = await createKey(fixture, { name: 'CI', scopes: ['chat'] });
      expect(created.key).toMatch(/^gmk_live_[0-9A-Za-z]{43}$/);
      expect(created.key.startsWith(created.prefix)).toBe(true);
      const listed = await operate<Record<string, unknown>[]>(fixture, 'GET', 'keys?limit=1');
      expect(listed[0]).toEqual({
        id: created.id,
        workspace_id: DEFAULT_WORKSPACE_ID,
        user_id: expect.any(String),
        name: 'CI',
        prefix: created.prefix,
        scopes: ['chat'],
        project: null,
        quotas: { requests: null, tokens: null, audio_seconds: null },
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        created_at: created.created_at,
      });
    });

    it('gives the scopes chat and conversations by default', async () => {
      expect((await createKey(fixture)).scopes).toEqual(['chat', 'conversations']);
    });

    it('revokes once; a second time changes nothing', async () => {
      const { id } = await createKey(fixture);
      const first = await operate<{ revoked_at: string }>(fixture, 'DELETE', `keys/${id}`);
      const second = await operate<{ revoked_at: string }>(fixture, 'DELETE', `keys/${id}`);
      expect(second.revoked_at).toBe(first.revoked_at);
    });

    it.each([
      ['no name', {}, 'name'],
      ['a blank name', { name: '  ' }, 'name'],
      ['an unknown scope', { name: 'x', scopes: ['root'] }, 'scopes.0'],
      ['a time that has passed', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      ['no time', { name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
      ['a user that is no UUID', { name: 'x', user_id: '1' }, 'user_id'],
      ['a user who is no member', { name: 'x', user_id: UNKNOWN }, 'user_id'],
      ['an array', [], 'body'],
    ])('refuses %s', async (_name, body, param) => {
      const answer = await ask('POST', 'keys', body);
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
    });

    it('answers 404 for an unknown key', async () => {
      expect((await ask('DELETE', `keys/${UNKNOWN}`)).status).toBe(404);
    });
  });

  describe('connections', () => {
    it('connects an account for a workspace and keeps the secret to itself', async () => {
      const body = {
        provider: 'openai-compatible',
        label: 'ollama',
        base_url: 'http://127.0.0.1:11434/v1',
        api_key: 'sk-secret',
        models: ['m'],
        max_concurrency: 8,
        ...{ pass: ['seed'], default_model: 'm', aliases: { fast: 'm' }, take_back: true },
      };
      const created = await operate<Record<string, unknown>>(fixture, 'POST', 'connections', body, 201);
      expect(created).toMatchObject({
        provider: 'openai-compatible',
        label: 'ollama',
        base_url: body.base_url,
        workspace_id: DEFAULT_WORKSPACE_ID,
        ...{ pass: ['seed'], default_model: 'm', aliases: { fast: 'm' }, resting_models: [], reason: null },
        ...{ conversations_left: 3, conversations_taken: 0 },
      });
      const [{ request, call: made } = { request: undefined, call: undefined }] = fixture.services.routing.calls;
      expect(request).toMatchObject({ secret: 'sk-secret', account: '', isDefault: false, maxConcurrency: 8, takeBack: true });
      expect(made?.caller).toMatchObject({ workspaceId: DEFAULT_WORKSPACE_ID, keyId: '' });
      expect(JSON.stringify([created, fixture.lines])).not.toContain('sk-secret');
    });

    it.each([
      [8, 8],
      [null, 0],
      [undefined, undefined],
    ])('bounds the turns it runs at once (%p)', async (max_concurrency, maxConcurrency) => {
      await operate(fixture, 'PATCH', `connections/${fixture.services.routing.connections[0]?.id}`, { is_default: true, max_concurrency });
      expect(fixture.services.routing.calls.at(-1)?.request).toMatchObject({ isDefault: true, maxConcurrency });
    });

    it.each([
      [{ pass: ['seed'] }, { pass: { names: ['seed'] }, defaultModel: undefined, aliases: undefined }],
      [{ pass: [] }, { pass: { names: [] } }],
      [{ default_model: 'm' }, { defaultModel: 'm', pass: undefined }],
      [{ default_model: null }, { defaultModel: '' }],
      [{ aliases: { fast: 'm' } }, { aliases: { models: { fast: 'm' } }, pass: undefined }],
      [{ aliases: {} }, { aliases: { models: {} } }],
    ])('changes what is passed on and what models are called (%j)', async (body, request) => {
      await operate(fixture, 'PATCH', `connections/${fixture.services.routing.connections[0]?.id}`, body);
      expect(fixture.services.routing.calls.at(-1)?.request).toMatchObject(request);
    });

    it('says what became of the conversations of one that is removed', async () => {
      const id = fixture.services.routing.connections[0]?.id;
      expect(await operate(fixture, 'DELETE', `connections/${id}?move_to=other`)).toEqual({ deleted: true, conversations: 2, moved: 2 });
      expect(fixture.services.routing.calls.at(-1)?.request).toEqual({ id, moveTo: 'other' });
      expect((await ask('DELETE', `connections/${id}?move_to=no%20label`)).body.error.param).toBe('move_to');
    });

    it('renames, disables, tests and disconnects it', async () => {
      const id = fixture.services.routing.connections[0]?.id;
      expect(await operate(fixture, 'PATCH', `connections/${id}`, { label: 'b', enabled: false })).toMatchObject({
        label: 'b',
        status: 'disabled',
        max_concurrency: null,
      });
      expect(await operate(fixture, 'POST', `connections/${id}/test`)).toMatchObject({ ok: false, code: 'ACCOUNT_REAUTH_REQUIRED' });
      expect(await operate(fixture, 'DELETE', `connections/${id}`)).toEqual({ deleted: true, conversations: 2, moved: 0 });
      expect((await ask('DELETE', `connections/${id}`)).body.error.code).toBe('CONNECTION_NOT_FOUND');
    });

    it('rotates secrets of all workspaces', async () => {
      expect(await operate(fixture, 'POST', 'connections/rotate-secrets')).toEqual({ rotated: 2, key_id: 'k2' });
    });

    it.each([
      ['no provider', { label: 'a', base_url: 'http://x' }, 'provider'],
      ['a base URL of another scheme', { provider: 'p', label: 'a', base_url: 'file:///etc/passwd' }, 'base_url'],
      ['a label that is no header value', { provider: 'p', label: 'caf\u00e9', base_url: 'http://x' }, 'label'],
      ['two secrets', { provider: 'p', label: 'a', base_url: 'http://x', api_key: 'a', password: 'b' }, 'password'],
      ['an alias without a model', { provider: 'p', label: 'a', base_url: 'http://x', aliases: { fast: '' } }, 'aliases.fast'],
      ['an unknown workspace', { provider: 'p', label: 'a', base_url: 'http://x', workspace_id: UNKNOWN }, 'workspace_id'],
    ])('refuses %s', async (_name, body, param) => {
      const answer = await ask('POST', 'connections', body);
      expect([answer.status, answer.body.error.param]).toEqual([422, param]);
    });

    it('refuses a change that changes nothing', async () => {
      expect((await ask('PATCH', `connections/${UNKNOWN}`, {})).body.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'body' });
    });
  });

  it('keeps route profiles', async () => {
    const profile = { slug: 'cheap', account_labels: ['a'], model: null, strategy: 'priority', weights: [] };
    expect(await operate(fixture, 'PUT', 'route-profiles/cheap', { account_labels: ['a'] })).toEqual(profile);
    expect(await operate(fixture, 'GET', 'route-profiles')).toEqual([profile]);
    const weighted = { account_labels: ['a', 'b'], strategy: 'weighted', weights: [3, 1] };
    expect(await operate(fixture, 'PUT', 'route-profiles/cheap', weighted)).toMatchObject(weighted);
    await operate(fixture, 'DELETE', 'route-profiles/cheap', undefined, 204);
    expect((await ask('DELETE', 'route-profiles/cheap')).body.error.code).toBe('route_profile_not_found');
    expect((await ask('PUT', 'route-profiles/Bad_Slug', {})).body.error.param).toBe('slug');
    expect((await ask('PUT', 'route-profiles/cheap', { strategy: 'roulette' })).body.error.param).toBe('strategy');
    expect((await ask('PUT', 'route-profiles/cheap', { ...weighted, weights: [0, 1] })).body.error.param).toBe('weights.0');
  });

  it('keeps workspaces and users', async () => {
    const workspace = await operate<{ id: string; status: string }>(fixture, 'POST', 'workspaces', { name: 'Lab' }, 201);
    expect(await operate(fixture, 'PATCH', `workspaces/${workspace.id}`, { name: 'Lab 2' })).toMatchObject({
      name: 'Lab 2',
      status: 'active',
    });
    const user = await operate<{ id: string }>(
      fixture,
      'POST',
      'users',
      { display_name: 'Ada', workspace_id: workspace.id, role: 'owner' },
      201,
    );
    expect(user).toMatchObject({ display_name: 'Ada', memberships: [{ workspace_id: workspace.id, role: 'owner' }] });
    expect(await operate<unknown[]>(fixture, 'GET', 'workspaces')).toHaveLength(2);
    expect(await operate<unknown[]>(fixture, 'GET', 'users')).toHaveLength(2);
    expect((await ask('PATCH', `users/${UNKNOWN}`, { status: 'disabled' })).status).toBe(404);
    expect((await ask('PATCH', `workspaces/${UNKNOWN}`, { status: 'disabled' })).status).toBe(404);
  });

  it('shows the fixture at a glance', async () => {
    expect(await operate(fixture, 'GET', 'status')).toMatchObject({
      version: '0.9.0',
      topology: 'separate',
      readiness: { status: 'ready' },
      connections: { total: 1, by_status: { active: 1 } },
    });
  });

  it('writes every change into the audit log, without secrets', async () => {
    const { id } = await createKey(fixture, { name: 'audited' });
    await operate(fixture, 'DELETE', `keys/${id}`);
    const pool = openPool({ url: fixture.config.databaseUrl, schema: 'edge', log: captureLog().log, applicationName: 'test' });
    const { rows } = await pool.query<{ action: string; actor: string }>(
      'SELECT action, actor FROM audit_log WHERE target_id = $1 ORDER BY at',
      [id],
    );
    const { rows: all } = await pool.query<{ text: string }>('SELECT string_agg(audit_log::text, chr(10)) AS text FROM audit_log');
    await pool.end();
    expect(rows).toEqual([
      { action: 'key.create', actor: 'operator' },
      { action: 'key.revoke', actor: 'operator' },
    ]);
    expect(all[0]?.text).toContain('connection.create');
    expect(all[0]?.text).not.toMatch(/gmk_live_\w{20}|sk-secret/);
  });
});
