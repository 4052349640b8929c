import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { AT, type FakeActions } from './fake-actions.ts';
import { form } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { createKey } from './operator.ts';

type Json = Record<string, unknown>;
const ACTIONS = '/v1/actions';
const RUNS = `${ACTIONS}/summarise/runs`;
const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

describe('actions', () => {
  let fixture: TestFixture;
  let actions: FakeActions;
  beforeAll(async () => {
    fixture = await startFixture({ maxActionAssetBytes: 1_000 });
    actions = fixture.services.actions;
  });
  beforeEach(() => {
    actions.runs.clear();
    actions.calls.length = 0;
    actions.failure = undefined;
    actions.refusal = undefined;
    fixture.services.assets.inputs.length = 0;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());
  const send = <T = Json>(method: string, path: string, body?: unknown, key = API_KEY) =>
    call<T>(`${fixture.edge.url}${path}`, { method, key, ...(body !== undefined && { body }) });
  const accept = () => actions.accept({ slug: 'summarise', connectionId: '' }, DEFAULT_WORKSPACE_ID);

  it('are listed with what a client needs to choose, and shown with what they take', async () => {
    const listed = {
      slug: 'summarise',
      title: 'Summarise a document',
      description: 'Says what a document is about.',
      version: 3,
      status: 'active',
      risk: 'read',
      requires_connection: false,
      published_at: AT.toISOString(),
    };
    const { status, body, headers } = await send<Json[]>('GET', `${ACTIONS}?limit=10`);
    expect([status, headers.get('x-total-count')]).toEqual([200, '1']);
    expect(body).toEqual([listed]);
    expect((await send('GET', `${ACTIONS}/summarise`)).body).toEqual({
      ...listed,
      inputs: [{ name: 'document', type: 'file', required: true, description: 'What to read.' }],
      outputs: ['summary'],
      step_count: 2,
      created_at: AT.toISOString(),
    });
  });

  it('take files, which are kept for one run', async () => {
    const { status, body } = await send('POST', `${ACTIONS}/summarise/assets`, form('hello', 'notes.txt'));
    expect(status).toBe(201);
    expect(body).toMatchObject({ filename: 'notes.txt', size_bytes: 5, action: 'summarise', run_id: null });
    expect(fixture.services.assets.uploads.at(-1)).toMatchObject({ head: { actionSlug: 'summarise' }, bytes: Buffer.from('hello') });
    expect((await send<Json[]>('GET', `${ACTIONS}/summarise/assets`)).body).toEqual([body]);
  });

  it.each<[string, FormData, number, string]>([
    ['too large', form('x'.repeat(1_001)), 413, 'FILE_TOO_LARGE'],
    ['in another field', form('hello', 'notes.txt', 'document'), 422, 'VALIDATION_ERROR'],
  ])('refuse a file that is %s, and keep nothing', async (_name, data, status, code) => {
    const answer = await send<ErrorBody>('POST', `${ACTIONS}/summarise/assets`, data);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(fixture.services.assets.inputs).toEqual([]);
  });

  it('take no file for an action that there is not', async () => {
    const answer = await send<ErrorBody>('POST', `${ACTIONS}/nothing/assets`, form());
    expect([answer.status, answer.body.error.code]).toEqual([404, 'ACTION_NOT_FOUND']);
    expect(fixture.services.assets.inputs).toEqual([]);
  });

  describe('runs', () => {
    const NEW = { input: { document: { asset_id: UNKNOWN } } };

    it('are accepted with everything there is to know of them', async () => {
      const { status, body } = await send('POST', RUNS, { ...NEW, idempotency_key: 'k1', connection_id: UNKNOWN });
      expect(status).toBe(202);
      const none = { verdict: null, output: null, error: null, effects: [], started_at: null, ended_at: null };
      const times = { created_at: AT.toISOString(), updated_at: AT.toISOString() };
      const what = { id: expect.any(String), action: 'summarise', version: 3, status: 'accepted', connection_id: UNKNOWN };
      expect(body).toEqual({ ...what, ...none, ...times });
      expect(actions.calls.at(-1)?.request).toMatchObject({
        ...{ slug: 'summarise', input: JSON.stringify(NEW.input), connectionId: UNKNOWN, idempotencyKey: 'k1' },
        requestDigest: expect.objectContaining({ length: 32 }),
      });
    });

    it.each<[string | number, string, unknown, string]>([
      [77, 'a list for an input', { input: [] }, 'input'],
      ['', 'no input', {}, 'input'],
      ['', 'a text for an input', { input: '{}' }, 'input'],
      ['', 'a connection that is no id', { input: {}, connection_id: 'x' }, 'connection_id'],
      ['', 'an empty idempotency key', { input: {}, idempotency_key: '' }, 'idempotency_key'],
      ['', 'an idempotency key of 256 characters', { input: {}, idempotency_key: 'k'.repeat(256) }, 'idempotency_key'],
      ['', 'an idempotency key that is a number', { input: {}, idempotency_key: 7 }, 'idempotency_key'],
    ])('row %s: refuse %s', async (_row, _name, body, param) => {
      const answer = await send<ErrorBody>('POST', RUNS, body);
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
      expect(actions.runs.size).toBe(0);
    });

    it.each([
      ['ACTIONS_DISABLED', 403],
      ['ACTION_RISK_BLOCKED', 403],
      ['ACTION_CONNECTION_REQUIRED', 422],
    ] as const)('are refused with %s as the service says', async (condition, status) => {
      actions.refusal = new GatewayError(condition, 'no');
      const answer = await send<ErrorBody>('POST', RUNS, NEW);
      expect([answer.status, answer.body.error.code]).toEqual([status, condition]);
    });

    it('show how they ended, what they changed and what became of them', async () => {
      const run = accept();
      Object.assign(run, { status: 'needs_review', verdict: 'needs_review', output: '{"id":7}', startedAt: AT, endedAt: AT });
      Object.assign(run, { error: { condition: 'PROVIDER_TIMEOUT', message: 'no answer' } });
      run.effects.push({ stepId: 'post', risk: 'write', outcome: 'unknown', at: AT });
      const { body } = await send('GET', `${RUNS}/${run.id}`);
      expect(body).toMatchObject({
        ...{ status: 'needs_review', verdict: 'needs_review', output: { id: 7 }, ended_at: AT.toISOString() },
        error: { code: 'PROVIDER_TIMEOUT', message: 'no answer', type: 'timeout_error', retryable: true },
        effects: [{ step_id: 'post', risk: 'write', outcome: 'unknown', at: AT.toISOString() }],
      });
      expect((await send<Json[]>('GET', `${RUNS}?status=needs_review`)).body).toEqual([body]);
      expect(actions.calls.at(-1)?.request).toMatchObject({ slug: 'summarise', status: 'needs_review', limit: 50, offset: 0 });
    });

    it('are asked to stop, which one that has ended cannot', async () => {
      const run = accept();
      expect((await send('POST', `${RUNS}/${run.id}/cancel`)).body).toMatchObject({ id: run.id, status: 'cancelling' });
      run.endedAt = AT;
      const { status, body } = await send<ErrorBody>('POST', `${RUNS}/${run.id}/cancel`);
      expect([status, body.error.code]).toEqual([409, 'ACTION_RUN_NOT_CANCELLABLE']);
    });

    it.each(['x', '..%2f..%2fadmin', 'a%00b'])('have ids, which %s is not', async (id) => {
      for (const path of [`${RUNS}/${id}`, `${RUNS}/${id}/events`]) {
        const { status, body } = await send<ErrorBody>('GET', path);
        expect([status, body.error.param]).toEqual([422, 'run_id']);
      }
    });

    it('are hidden from other workspaces', async () => {
      const run = actions.accept({ slug: 'summarise', connectionId: '' }, UNKNOWN);
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/events'],
        ['POST', '/cancel'],
      ] as const) {
        const { status, body } = await send<ErrorBody>(method, `${RUNS}/${run.id}${path}`);
        expect([status, body.error.code]).toEqual([404, 'ACTION_RUN_NOT_FOUND']);
      }
    });
  });

  describe('scopes', () => {
    it.each([
      ['GET', '', 'actions:read'],
      ['GET', '/summarise', 'actions:read'],
      ['GET', '/summarise/assets', 'actions:read'],
      ['GET', '/summarise/runs', 'actions:read'],
      ['GET', `/summarise/runs/${UNKNOWN}`, 'actions:read'],
      ['GET', `/summarise/runs/${UNKNOWN}/events`, 'actions:read'],
      ['POST', '/summarise/assets', 'actions:run'],
      ['POST', '/summarise/runs', 'actions:run'],
      ['POST', `/summarise/runs/${UNKNOWN}/cancel`, 'actions:run'],
    ])('%s %s needs %s', async (method, path, scope) => {
      const other = scope === 'actions:read' ? 'actions:run' : 'actions:read';
      const { key } = await createKey(fixture, { scopes: ['chat', 'conversations', 'audio', other] });
      const { status, body } = await send<ErrorBody>(method, `${ACTIONS}${path}`, method === 'POST' ? {} : undefined, key);
      expect([status, body.error.code, body.error.message, body.error.param]).toEqual([403, 'MISSING_SCOPE', 'Missing scope', scope]);
      expect(actions.calls).toEqual([]);
    });

    it('are not the operator’s, who has no workspace', async () => {
      const { status, body } = await send<ErrorBody>('GET', ACTIONS, undefined, OPERATOR_KEY);
      expect([status, body.error.code]).toEqual([403, 'TENANT_ACCESS_DENIED']);
    });
  });
});
