import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate, operatorToken } from './operator.ts';

const ACCOUNT = '01900000-0000-7000-8000-0000000000ac';

interface InternalProject {
  id: string;
  slug: string;
  name: string;
  policy: string;
}

describe('the operator and projects', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    fixture.services.routing.projects.kept.clear();
    fixture.services.routing.calls = [];
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const refused = async (method: string, path: string, body?: unknown) => {
    const answer = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, {
      method,
      key: await operatorToken(fixture),
      ...(body !== undefined && { body }),
    });
    return [answer.status, answer.body.error.code, answer.body.error.param];
  };

  describe('upstream projects', () => {
    it('are registered without a binding, bound and made the default one', async () => {
      const body = { upstream_account_id: ACCOUNT, upstream_reference: 'sp_1' };
      const registered = await operate<{ id: string }>(fixture, 'POST', 'projects', body, 201);
      expect(registered).toMatchObject({
        bound: false,
        is_default: false,
        memory_policy_status: 'unverified',
        upstream_account_id: ACCOUNT,
      });
      expect(await operate(fixture, 'PATCH', `projects/${registered.id}`, { bound: true })).toMatchObject({
        bound: true,
        is_default: false,
      });
      expect(await operate(fixture, 'PATCH', `projects/${registered.id}`, { is_default: true })).toMatchObject({
        bound: true,
        is_default: true,
      });
      expect(await operate(fixture, 'GET', 'projects?search=SP_&limit=1')).toEqual([
        expect.objectContaining({ id: registered.id, bound: true }),
      ]);
      const requests = fixture.services.routing.calls.map(({ method, request, call: { caller } }) => [method, request, caller.workspaceId]);
      expect(requests.slice(0, 2)).toEqual([
        ['registerProject', { upstreamAccountId: ACCOUNT, upstreamReference: 'sp_1' }, DEFAULT_WORKSPACE_ID],
        ['bindProject', { projectId: registered.id, bound: true, isDefault: undefined }, DEFAULT_WORKSPACE_ID],
      ]);
    });

    it.each<[string, string, unknown, string]>([
      ['POST', 'projects', { upstream_account_id: ACCOUNT }, 'upstream_reference'],
      ['POST', 'projects', { upstream_account_id: 'x', upstream_reference: 'sp_1' }, 'upstream_account_id'],
      ['POST', 'projects', { upstream_account_id: ACCOUNT, upstream_reference: 'sp_1', workspace_id: ACCOUNT }, 'workspace_id'],
      ['PATCH', `projects/${ACCOUNT}`, {}, 'body'],
      ['PATCH', `projects/${ACCOUNT}`, { bound: 'yes' }, 'bound'],
      ['PATCH', 'projects/x', { bound: true }, 'id'],
    ])('refuse %s %s %j', async (method, path, body, param) => {
      expect(await refused(method, path, body)).toEqual([422, 'VALIDATION_ERROR', param]);
      expect(fixture.services.routing.calls).toEqual([]);
    });

    it('are only for the operator', async () => {
      for (const path of ['projects', 'internal-projects']) {
        const answer = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, { key: API_KEY });
        expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_ADMIN_TOKEN']);
      }
    });
  });

  describe('internal projects', () => {
    const put = (slug: string, body: object) => operate<InternalProject>(fixture, 'PUT', `internal-projects/${slug}`, body);

    it('are created, replaced, listed and deleted', async () => {
      const created = await put('team-z', { name: 'Team Z' });
      expect(created).toMatchObject({ slug: 'team-z', name: 'Team Z', policy: 'allow_general', workspace_id: DEFAULT_WORKSPACE_ID });
      const replaced = await put('team-z', { name: 'Z', policy: 'require_project' });
      expect(replaced).toEqual({ ...created, name: 'Z', policy: 'require_project' });
      expect(await operate(fixture, 'GET', 'internal-projects')).toEqual([replaced]);
      await operate(fixture, 'DELETE', 'internal-projects/team-z', undefined, 204);
      expect(await refused('DELETE', 'internal-projects/team-z')).toEqual([404, 'project_not_found', 'slug']);
    });

    it.each<[string, unknown, string]>([
      ['Team', { name: 'x' }, 'slug'],
      [`${'x'.repeat(65)}`, { name: 'x' }, 'slug'],
      ['team', { name: ' ' }, 'name'],
      ['team', { name: 'x', policy: 'maybe' }, 'policy'],
      ['team', [], 'body'],
    ])('refuse %j %j', async (slug, body, param) => {
      expect(await refused('PUT', `internal-projects/${slug}`, body)).toEqual([422, 'VALIDATION_ERROR', param]);
    });

    it('are kept while a usable key is bound to one, and forgotten by revoked ones', async () => {
      await put('bound', { name: 'Bound' });
      const key = await createKey(fixture, { project: 'bound' });
      expect(key).toMatchObject({ project: 'bound' });
      expect(await refused('DELETE', 'internal-projects/bound')).toEqual([422, 'VALIDATION_ERROR', 'slug']);
      expect(await operate(fixture, 'DELETE', `keys/${key.id}`)).toMatchObject({ project: 'bound' });
      await operate(fixture, 'DELETE', 'internal-projects/bound', undefined, 204);
      const keys = await operate<{ id: string; project: string | null }[]>(fixture, 'GET', 'keys');
      expect(keys.find(({ id }) => id === key.id)?.project).toBeNull();
    });

    it('of another workspace bind no key', async () => {
      const elsewhere = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'elsewhere' }, 201);
      await operate(fixture, 'PUT', `internal-projects/theirs?workspace_id=${elsewhere.id}`, { name: 'Theirs' });
      expect(await refused('POST', 'keys', { name: 'x', project: 'theirs' })).toEqual([422, 'VALIDATION_ERROR', 'project']);
      expect(await refused('POST', 'keys', { name: 'x', project: 'no such' })).toEqual([422, 'VALIDATION_ERROR', 'project']);
    });

    describe('in a turn', () => {
      const turns: TurnRequest[] = [];
      let bound: string;
      let strict: string;
      beforeAll(async () => {
        await put('open', { name: 'Open' });
        await put('strict', { name: 'Strict', policy: 'require_project' });
        bound = (await createKey(fixture, { project: 'open' })).key;
        strict = (await createKey(fixture, { project: 'strict' })).key;
        const answer = fixture.services.routing.turn;
        fixture.services.routing.turn = (request, stream, at) => {
          turns.push(request);
          // Chat-routing distinguishes an upstream slug from an unknown one.
          if (request.project === 'research') return stream.fail(new GatewayError('WRONG_PROJECT_HEADER', 'an upstream slug'));
          if (request.project !== '') return stream.fail(new GatewayError('INTERNAL_PROJECT_NOT_FOUND', 'no such project'));
          answer(request, stream, at);
        };
      });
      const chat = async (key: string, headers: Record<string, string> = {}) => {
        const body = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };
        const answer = await call<ErrorBody>(`${fixture.edge.url}/v1/chat/completions`, { method: 'POST', key, body, headers });
        return answer.status === 200 ? 200 : [answer.status, answer.body.error.code];
      };
      const inside = (slug: string) => ({ 'X-Service-Project': slug });

      it('are selected by a free key, and stay in the edge', async () => {
        expect(await chat(API_KEY, inside('open'))).toBe(200);
        expect(turns.at(-1)?.project).toBe('');
      });

      it('hold the keys that are bound to them', async () => {
        expect(await chat(bound)).toBe(200);
        expect(await chat(bound, inside('open'))).toBe(200);
        expect(await chat(bound, inside('strict'))).toEqual([403, 'project_out_of_scope']);
      });

      it.each([
        ['research', [422, 'wrong_project_header']],
        ['nothing', [404, 'project_not_found']],
      ])('are not what %j is', async (slug, expected) => {
        expect(await chat(API_KEY, inside(slug))).toEqual(expected);
        expect(await chat(bound, inside(slug))).toEqual(expected);
      });

      it('take a project upstream where their policy wants one', async () => {
        expect(await chat(strict, { 'X-Service-Upstream-Project': 'research' })).toBe(200);
        expect(turns.at(-1)?.upstreamProject).toBe('research');
      });
    });
  });
});
