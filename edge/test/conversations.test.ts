import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { SCHEMA } from '../src/store/client.ts';
import { message } from './fake-conversations.ts';
import { API_KEY, type Answer, call, captureLog, type TestFixture, startFixture } from './harness.ts';
import { createKey } from './operator.ts';

const BASE = '/v1/conversations';
const AT = '2025-01-31T12:00:00.000Z';

interface Conversation {
  id: string;
  title: string;
  pinned: boolean;
  status: string;
}

describe('conversations', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    fixture.services.conversations.kept.clear();
    fixture.services.conversations.calls = [];
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const send = <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
    call<T>(fixture.edge.url + path, { method, key: API_KEY, ...(body !== undefined && { body }) });
  const create = async (body: Record<string, unknown> = {}) => (await send<Conversation>('POST', BASE, body)).body;

  it('creates a conversation with exactly the documented fields', async () => {
    const [account, project] = [uuidv7(), uuidv7()];
    const { status, body } = await send<Conversation>('POST', BASE, {
      title: ' On trains ',
      upstream_account_id: account.toUpperCase(),
      upstream_project_id: project,
      model: 'sandbox-1',
      unknown: 'ignored',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      status: 'active',
      title: 'On trains',
      upstream_account_id: account,
      upstream_project_id: project,
      destination_type: 'project',
      created_at: AT,
    });
    const { request, call } = fixture.services.routing.calls.at(-1) ?? {};
    expect(request).toEqual({
      title: 'On trains',
      upstreamAccountId: account,
      upstreamProjectId: project,
      model: 'sandbox-1',
      imported: [],
    });
    expect(call?.caller.keyId).not.toBe('');
  });

  it.each([
    ['nothing', {}],
    ['nulls', { title: null, upstream_project_id: null, upstream_account_id: null, model: null }],
    ['an empty title', { title: '' }],
  ])('creates a general conversation on the best account when the body is %s', async (_what, body) => {
    const { status, body: created } = await send<Record<string, unknown>>('POST', BASE, body);
    expect([status, created.title, created.destination_type]).toEqual([201, '', 'general']);
    expect(created).not.toHaveProperty('upstream_project_id');
    expect(fixture.services.routing.calls.at(-1)?.request).toMatchObject({ title: '', upstreamAccountId: '', model: '' });
  });

  it('lists with every field, newest first, with a total and links that keep the filters', async () => {
    const created = [await create({ title: 'one' }), await create({ title: 'two' }), await create({ title: 'three' })];
    const { body, headers } = await send<Conversation[]>('GET', `${BASE}?limit=1&offset=1&status_filter=active&search=%25`);
    expect([body, headers.get('x-total-count')]).toEqual([[], '0']);
    const page = await send<Conversation[]>('GET', `${BASE}?limit=1&offset=1&status_filter=active`);
    expect(page.body).toEqual([
      {
        id: created[1]?.id,
        object: 'conversation',
        status: 'active',
        title: 'two',
        upstream_account_id: expect.any(String),
        destination_type: 'general',
        model: 'auto',
        pinned: false,
        continuity_status: 'available',
        message_count: 0,
        last_message_at: null,
        created_at: AT,
        updated_at: AT,
      },
    ]);
    expect(page.headers.get('x-total-count')).toBe('3');
    expect(page.headers.get('link')).toContain('</v1/conversations?status_filter=active&limit=1&offset=2>; rel="next"');
  });

  it('hands every filter on', async () => {
    const [account, project] = [uuidv7(), uuidv7()];
    const filters = `status_filter=archived&search=%25_&pinned_only=true&destination_filter=project&account_filter=${account}&project_filter=${project}`;
    const { status, headers } = await send('GET', `${BASE}?${filters}&limit=7&offset=3`);
    expect(status).toBe(200);
    expect(fixture.services.conversations.calls.at(-1)?.request).toEqual({
      statusFilter: 'archived',
      search: '%_',
      pinnedOnly: true,
      destinationFilter: 'project',
      accountFilter: account,
      projectFilter: project,
      limit: 7,
      offset: 3,
    });
    const next = new URLSearchParams(/\?([^>]*)>; rel="first"/.exec(headers.get('link') ?? '')?.[1]);
    expect(Object.fromEntries(next)).toMatchObject({ search: '%_', pinned_only: 'true', destination_filter: 'project' });
  });

  it('shows one with its owner and the people in it', async () => {
    const { id } = await create({ title: 'On trains' });
    const { body } = await send<Record<string, unknown>>('GET', `${BASE}/${id.toUpperCase()}`);
    expect(body).toMatchObject({ id, object: 'conversation', title: 'On trains', owner_user_id: expect.any(String) });
    expect(body.participants).toEqual([
      { user_id: body.owner_user_id, role: 'owner', display_name: expect.stringMatching(/./), added_at: AT },
    ]);
  });

  it('renames and pins by query parameters, and leaves alone what is not named', async () => {
    const { id } = await create({ title: 'On trains' });
    const change = async (query: string) => (await send<Conversation>('PATCH', `${BASE}/${id}${query}`)).body;
    expect(await change('?title=On%20windows%20%26%20trains')).toMatchObject({ title: 'On windows & trains', pinned: false });
    expect(await change('?pinned=true')).toMatchObject({ title: 'On windows & trains', pinned: true });
    expect(await change('')).toMatchObject({ object: 'conversation', title: 'On windows & trains', pinned: true });
    expect(await change('?pinned=false')).toMatchObject({ pinned: false });
  });

  it.each(['archive', 'restore', 'sync'])('answers %s with the conversation', async (verb) => {
    const { id } = await create();
    const { status, body } = await send<Conversation>('POST', `${BASE}/${id}/${verb}`);
    expect([status, body.id, body.status]).toEqual([200, id, verb === 'archive' ? 'archived' : 'active']);
  });

  it('deletes for good as far as clients see', async () => {
    const { id } = await create();
    const { status, body } = await send('DELETE', `${BASE}/${id}`);
    expect([status, body]).toEqual([200, { id, object: 'conversation.deleted', deleted: true }]);
    expect((await send('GET', `${BASE}/${id}`)).status).toBe(404);
  });

  it('lists messages as they stand, and shows one of them', async () => {
    const { id } = await create();
    const failed = { condition: 'PROVIDER_BAD_ANSWER', message: 'no answer' };
    fixture.services.conversations.kept
      .get(id)
      ?.messages.push(
        message({ conversationId: id, role: 'user', content: 'hi', model: '' }),
        message({ conversationId: id, usage: { tokensIn: 2, tokensOut: 3 } }),
        message({ conversationId: id, status: 'streaming', content: 'hel', completedAt: undefined }),
        message({ conversationId: id, status: 'failed', content: '', error: failed }),
      );
    const { body, headers } = await send<{ id: string }[]>('GET', `${BASE}/${id}/messages`);
    expect(headers.get('x-total-count')).toBe('4');
    expect(headers.get('link')).toBe(`</v1/conversations/${id}/messages>; rel="first", </v1/conversations/${id}/messages>; rel="last"`);
    expect(body[1]).toEqual({
      id: expect.any(String),
      object: 'message',
      conversation_id: id,
      role: 'assistant',
      status: 'completed',
      content: 'hello',
      model: 'sandbox-1',
      assets: [],
      pending_operations: 0,
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
      error: null,
      created_at: AT,
      completed_at: AT,
    });
    expect(body).toMatchObject([
      { role: 'user', model: null, usage: null },
      {},
      { status: 'streaming', content: 'hel', completed_at: null },
      { status: 'failed', error: { code: 'PROVIDER_UNAVAILABLE', message: 'no answer', type: 'upstream_error', retryable: true } },
    ]);
    expect((await send('GET', `/v1/messages/${body[1]?.id}`)).body).toEqual(body[1]);
  });

  it('requires a project of chat-routing only for a key whose internal project requires one', async () => {
    const create = async (key: string) => {
      fixture.services.routing.calls = [];
      await call(fixture.edge.url + BASE, { method: 'POST', key, body: {} });
      return fixture.services.routing.calls;
    };
    expect(await create(await boundKey(fixture))).toMatchObject([{ method: 'createConversation', request: { requireProject: true } }]);
    const [free] = await create((await createKey(fixture)).key);
    expect(free?.request).not.toHaveProperty('requireProject', true);
  });
});

/** A key that is bound to an internal project which requires an upstream project; no surface makes one yet. */
async function boundKey(fixture: TestFixture): Promise<string> {
  const { id, key } = await createKey(fixture);
  const project = uuidv7();
  const pool = openPool({ url: fixture.config.databaseUrl, schema: SCHEMA, log: captureLog().log, applicationName: 'test' });
  const insert = `INSERT INTO internal_projects (id, workspace_id, slug, name, policy) VALUES ($1, $2, 'bound', 'Bound', 'require_project')`;
  await pool.query(insert, [project, DEFAULT_WORKSPACE_ID]);
  await pool.query('UPDATE api_keys SET internal_project_id = $1 WHERE id = $2', [project, id]);
  await pool.end();
  return key;
}
