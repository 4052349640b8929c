import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { message } from './fake-conversations.ts';
import { API_KEY, call, captureLog, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, type CreatedKey, operate, operatorToken } from './operator.ts';

const UNKNOWN = '01900000-0000-7000-8000-0000000000ff';
const MESSAGES = [
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'eins' },
];

describe('export and import of conversations', () => {
  let fixture: TestFixture;
  let key: CreatedKey;
  beforeAll(async () => {
    fixture = await startFixture();
    key = await createKey(fixture);
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const ask = async (method: string, path: string, body?: unknown, as?: string) => {
    const key = as ?? (await operatorToken(fixture));
    return call<ErrorBody>(`${fixture.edge.url}/admin/v1/conversations/${path}`, { method, key, ...(body !== undefined && { body }) });
  };
  const create = async () => {
    const url = `${fixture.edge.url}/v1/conversations`;
    const { id } = (await call<{ id: string }>(url, { method: 'POST', key: key.key, body: { title: 'Plans' } })).body;
    const kept = fixture.services.conversations.kept.get(id);
    kept?.messages.push(message({ role: 'user', content: 'one', model: '' }), message({ content: 'eins' }));
    return id;
  };
  const audited = async (action: string) => {
    const pool = openPool({ url: fixture.config.databaseUrl, schema: 'edge', log: captureLog().log, applicationName: 'test' });
    const text = 'SELECT workspace_id, target_id, details FROM audit_log WHERE action = $1 ORDER BY id DESC LIMIT 1';
    const { rows } = await pool.query(text, [action]);
    await pool.end();
    return rows[0] as unknown;
  };

  it('gives the operator a whole conversation, for a key that may read it', async () => {
    const id = await create();
    await expect(operate(fixture, 'GET', `conversations/${id}/export?key_id=${key.id}`)).resolves.toMatchObject({
      ...{ object: 'conversation.export', version: 1 },
      conversation: { id, object: 'conversation', title: 'Plans' },
      messages: [
        { object: 'message', ...MESSAGES[0], model: null },
        { object: 'message', ...MESSAGES[1], model: 'sandbox-1' },
      ],
    });
    await expect(audited('conversation.export')).resolves.toEqual({
      workspace_id: DEFAULT_WORKSPACE_ID,
      target_id: id,
      details: { key_id: key.id },
    });
  });

  it('creates a conversation of a key, with the messages', async () => {
    const body = { key_id: key.id, title: 'Old', upstream_account_id: UNKNOWN, model: 'sandbox-1', messages: MESSAGES };
    const created = await operate<{ id: string }>(fixture, 'POST', 'conversations/import', body, 201);
    expect(fixture.services.routing.calls.at(-1)).toMatchObject({
      method: 'createConversation',
      request: {
        ...{ title: 'Old', upstreamAccountId: UNKNOWN, upstreamProjectId: '', model: 'sandbox-1' },
        imported: MESSAGES.map(({ role, content }) => ({ role, text: content })),
      },
      call: { caller: { keyId: key.id, workspaceId: DEFAULT_WORKSPACE_ID } },
    });
    const shown = await call(`${fixture.edge.url}/v1/conversations/${created.id}`, { key: key.key });
    expect(shown.status).toBe(200);
    await expect(audited('conversation.import')).resolves.toEqual({
      workspace_id: DEFAULT_WORKSPACE_ID,
      target_id: created.id,
      details: { outcome: 'done', key_id: key.id, messages: 2 },
    });
  });

  it('is the operator’s alone', async () => {
    const id = await create();
    for (const [method, path] of [
      ['GET', `${id}/export?key_id=${key.id}`],
      ['POST', 'import'],
    ] as const) {
      const { status, body } = await ask(method, path, undefined, API_KEY);
      expect([status, body.error.code]).toEqual([401, 'INVALID_ADMIN_TOKEN']);
    }
  });

  it('shows a conversation only for a key that may read it', async () => {
    const id = await create();
    const other = await createKey(fixture);
    for (const [path, status, code, param] of [
      [`${id}/export?key_id=${other.id}`, 403, 'CONVERSATION_ACCESS_DENIED', undefined],
      [`${UNKNOWN}/export?key_id=${key.id}`, 404, 'CONVERSATION_NOT_FOUND', undefined],
      [`${id}/export?key_id=${UNKNOWN}`, 404, 'not_found', 'key_id'],
      [`${id}/export`, 422, 'VALIDATION_ERROR', 'key_id'],
      [`x/export?key_id=${key.id}`, 422, 'VALIDATION_ERROR', 'id'],
    ] as const) {
      const answer = await ask('GET', path);
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
    }
  });

  it.each<[string, () => Record<string, unknown>, number, string, string]>([
    ['no key', () => ({ messages: MESSAGES }), 422, 'VALIDATION_ERROR', 'key_id'],
    ['an unknown key', () => ({ key_id: UNKNOWN, messages: MESSAGES }), 404, 'not_found', 'key_id'],
    ['no messages', () => ({ key_id: key.id, messages: [] }), 422, 'VALIDATION_ERROR', 'messages'],
    [
      'a strange role',
      () => ({ key_id: key.id, messages: [{ role: 'wizard', content: 'x' }] }),
      422,
      'VALIDATION_ERROR',
      'messages.0.role',
    ],
    ['an empty text', () => ({ key_id: key.id, messages: [{ role: 'user', content: '' }] }), 422, 'VALIDATION_ERROR', 'messages.0.content'],
    [
      'an account that is no id',
      () => ({ key_id: key.id, upstream_account_id: 'x', messages: MESSAGES }),
      422,
      'VALIDATION_ERROR',
      'upstream_account_id',
    ],
  ])('takes no import with %s', async (_name, body, status, code, param) => {
    const calls = fixture.services.routing.calls.length;
    const answer = await ask('POST', 'import', body());
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
    expect(fixture.services.routing.calls).toHaveLength(calls);
  });

  it('gives no conversation to a key that cannot be used any more', async () => {
    const gone = await createKey(fixture);
    await operate(fixture, 'DELETE', `keys/${gone.id}`);
    const answer = await ask('POST', 'import', { key_id: gone.id, messages: MESSAGES });
    expect([answer.status, answer.body.error.param]).toEqual([422, 'key_id']);
  });
});
