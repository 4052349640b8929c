import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { source } from './fake-projects.ts';
import { form } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';

const ACCOUNT = '01900000-0000-7000-8000-0000000000ac';
const CREATED = [
  'id',
  'name',
  'slug',
  'status',
  'effective_memory_policy',
  'memory_policy_status',
  'upstream_account_id',
  'created_at',
].sort();

interface Project {
  id: string;
  name: string;
  slug: string;
  instructions: string | null;
}

describe('projects', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    fixture.services.routing.projects.kept.clear();
    fixture.services.routing.calls = [];
    fixture.services.assets.calls = [];
    fixture.services.assets.uploads = [];
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const ask = <T = Project>(method: string, path = '', body?: unknown, key = API_KEY) =>
    call<T>(`${fixture.edge.url}/v1/projects${path}`, { method, key, ...(body !== undefined && { body }) });
  const keep = (change = {}) => fixture.services.routing.projects.keep(change, DEFAULT_WORKSPACE_ID);
  const requestOf = (method: string) => fixture.services.routing.calls.find((one) => one.method === method)?.request;

  it('are created, and answer with exactly the documented fields', async () => {
    const body = { name: ' Research ', instructions: 'Be brief.', memory_policy: 'project_only', upstream_account_id: ACCOUNT };
    const created = await ask('POST', '', body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Research',
      slug: 'research',
      status: 'active',
      effective_memory_policy: 'project_only',
      memory_policy_status: 'verified',
      upstream_account_id: ACCOUNT,
      created_at: '2025-01-31T12:00:00.000Z',
    });
    expect(Object.keys(created.body).sort()).toEqual(CREATED);
    expect(requestOf('createProject')).toEqual({
      name: 'Research',
      instructions: 'Be brief.',
      memoryPolicy: 'project_only',
      upstreamAccountId: ACCOUNT,
    });
  });

  it('need a name only', async () => {
    expect((await ask('POST', '', { name: 'x', instructions: null, memory_policy: null, upstream_account_id: null })).status).toBe(201);
    expect(requestOf('createProject')).toMatchObject({ name: 'x', memoryPolicy: '', upstreamAccountId: '' });
    expect((requestOf('createProject') as { instructions?: string }).instructions).toBeUndefined();
  });

  it('are listed with what lists add, found by a part of their name, in pages', async () => {
    for (const name of ['Alpha', 'Beta', 'Alphabet']) keep({ name, conversationCount: 3, isDefault: name === 'Beta' });
    const { body, headers } = await ask<Project[]>('GET', '?search=alpha&limit=1');
    expect(body).toHaveLength(1);
    expect(Object.keys(body[0] ?? {}).sort()).toEqual(
      [...CREATED, 'is_default', 'instructions', 'conversation_count', 'updated_at'].sort(),
    );
    expect(body[0]).toMatchObject({ name: 'Alpha', is_default: false, instructions: null, conversation_count: 3 });
    expect(headers.get('x-total-count')).toBe('2');
    expect(headers.get('link')).toContain('</v1/projects?search=alpha&limit=1&offset=1>; rel="next"');
  });

  it('show their files in detail', async () => {
    const { id } = keep({ instructions: 'Be brief.', sources: [source({ id: 's1', status: 'failed' })] });
    const { body } = await ask('GET', `/${id}`);
    expect(body).toMatchObject({
      id,
      instructions: 'Be brief.',
      sources: [
        {
          id: 's1',
          source_type: 'file',
          title: 'notes.txt',
          status: 'failed',
          mime_type: 'text/plain',
          size_bytes: 5,
          created_at: '2025-01-31T12:00:00.000Z',
        },
      ],
    });
  });

  it.each<[{ name?: string; instructions?: string | null }, object]>([
    [{ name: 'New' }, { name: 'New', instructions: undefined }],
    [{ instructions: 'More.' }, { name: undefined, instructions: 'More.' }],
    [{ instructions: null }, { name: undefined, instructions: '' }],
  ])('change by %j', async (change, request) => {
    const { id } = keep();
    const { status, body } = await ask('PATCH', `/${id}`, change);
    expect([status, body]).toEqual([200, expect.objectContaining({ id, instructions: change.instructions ?? null })]);
    expect(requestOf('updateProject')).toEqual({ projectId: id, ...request });
  });

  it('are deleted without a word', async () => {
    const { id } = keep();
    expect(await ask('DELETE', `/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await ask<ErrorBody>('GET', `/${id}`)).body.error.code).toBe('PROJECT_NOT_FOUND');
  });

  it('take files, list them and give them up', async () => {
    const { id } = keep({ sources: [source({ id: 's1' })] });
    const added = await ask<Record<string, unknown>>('POST', `/${id}/files`, form('hello', 'köln.txt'));
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(String),
        source_type: 'file',
        title: 'köln.txt',
        status: 'processing',
        mime_type: 'text/plain',
        size_bytes: 5,
        created_at: '2025-01-31T12:00:00.000Z',
      },
    ]);
    expect(fixture.services.assets.uploads.map(({ head }) => head)).toEqual([
      { projectId: id, file: { fileName: 'köln.txt', declaredType: 'text/plain' } },
    ]);
    const listed = await ask<{ id: string }[]>('GET', `/${id}/files`);
    expect([listed.body.map((one) => one.id), listed.headers.get('x-total-count')]).toEqual([['s1'], '1']);
    expect((await ask('DELETE', `/${id}/files/s1`)).status).toBe(204);
    expect(fixture.services.assets.calls.at(-1)).toMatchObject({
      method: 'deleteProjectFile',
      request: { projectId: id, sourceId: 's1' },
    });
  });

  it('belong to a workspace: another key of it may use them, another workspace finds none of them', async () => {
    const { id } = keep({ name: 'Secret' });
    const sibling = await createKey(fixture);
    const elsewhere = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'elsewhere' }, 201);
    const user = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: 'x', workspace_id: elsewhere.id }, 201);
    const stranger = await createKey(fixture, { workspace_id: elsewhere.id, user_id: user.id });
    expect((await ask('GET', `/${id}`, undefined, sibling.key)).status).toBe(200);
    expect((await ask<Project[]>('GET', '', undefined, stranger.key)).body).toEqual([]);
    const operations: [string, string, unknown?][] = [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, { name: 'Mine' }],
      ['DELETE', `/${id}`],
      ['GET', `/${id}/files`],
    ];
    for (const [method, path, body] of operations) {
      const answer = await ask<ErrorBody>(method, path, body, stranger.key);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'PROJECT_NOT_FOUND']);
      expect(JSON.stringify(answer.body)).not.toContain('Secret');
      expect(await ask<ErrorBody>(method, path.replace(id, uuidv7()), body, stranger.key)).toMatchObject({ status: 404 });
    }
    for (const path of [`/${id}/files`, `/${id}/files/s1`]) {
      await ask(path.endsWith('s1') ? 'DELETE' : 'POST', path, path.endsWith('s1') ? undefined : form(), stranger.key);
      expect(fixture.services.assets.calls.at(-1)?.call.caller.workspaceId).toBe(elsewhere.id);
    }
  });
});
