import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { operate, operatorToken } from './operator.ts';

const DOCUMENT = { document: { arazzo: '1.0.1' }, sources: { tickets: { openapi: '3.1.0' } } };

describe('the operator and actions', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    fixture.services.actions.calls.splice(0);
    fixture.services.actions.cohort = [];
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  it('hears what is wrong with a document', async () => {
    const wrong = { document: { info: 'wrong' } };
    expect(await operate(fixture, 'POST', 'actions/validate', wrong)).toEqual({
      slug: 'summarise',
      valid: false,
      findings: [{ path: '/info', message: "'version' is missing here." }],
    });
    expect(await operate(fixture, 'POST', 'actions/validate', DOCUMENT)).toEqual({ slug: 'summarise', valid: true, findings: [] });
    expect(fixture.services.actions.calls.map(({ request }) => request)).toEqual([
      { document: JSON.stringify(wrong.document), sources: {} },
      { document: '{"arazzo":"1.0.1"}', sources: { tickets: '{"openapi":"3.1.0"}' } },
    ]);
  });

  it('publishes, lists, disables and enables', async () => {
    expect(await operate(fixture, 'POST', 'actions', DOCUMENT)).toMatchObject({ slug: 'summarise', version: 3, step_count: 2 });
    expect(await operate(fixture, 'GET', 'actions')).toMatchObject([{ slug: 'summarise', status: 'active' }]);
    expect(await operate(fixture, 'PATCH', 'actions/summarise', { enabled: false })).toMatchObject({ status: 'disabled' });
    expect(await operate(fixture, 'PATCH', 'actions/summarise', { enabled: true })).toMatchObject({ status: 'active' });
  });

  it('reads back what was published, as it can be published again', async () => {
    const facts = { version: 3, published_at: '2026-01-02T03:04:05.678Z', current: true };
    expect(await operate(fixture, 'GET', 'actions/summarise/versions')).toEqual([facts]);
    expect(await operate(fixture, 'GET', 'actions/summarise/versions/3')).toEqual({ ...facts, ...DOCUMENT });
  });

  it('lets workspaces take part that exist, and any leave', async () => {
    await operate(fixture, 'PUT', `action-cohort/${DEFAULT_WORKSPACE_ID}`, undefined, 204);
    expect(await operate(fixture, 'GET', 'action-cohort')).toEqual({ workspace_ids: [DEFAULT_WORKSPACE_ID] });
    await operate(fixture, 'DELETE', `action-cohort/${DEFAULT_WORKSPACE_ID}`, undefined, 204);
    expect(await operate(fixture, 'GET', 'action-cohort')).toEqual({ workspace_ids: [] });
    const { status } = await call(`${fixture.edge.url}/admin/v1/action-cohort/${uuidv7()}`, {
      method: 'PUT',
      key: await operatorToken(fixture),
    });
    expect(status).toBe(422);
  });

  it.each([
    ['POST', 'actions', { document: [] }, 422, 'document'],
    ['POST', 'actions/validate', {}, 422, 'document'],
    ['PATCH', 'actions/unknown', { enabled: false }, 404, undefined],
    ['GET', 'actions/unknown/versions', undefined, 404, undefined],
    ['GET', 'actions/summarise/versions/4', undefined, 404, undefined],
    ['GET', 'actions/summarise/versions/0', undefined, 422, 'version'],
    ['PATCH', 'actions/summarise', {}, 422, 'enabled'],
    ['PUT', 'action-cohort/x', undefined, 422, 'id'],
  ])('refuses %s %s %j with %i', async (method, path, body, status, param) => {
    const answer = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, {
      method,
      key: await operatorToken(fixture),
      ...(body && { body }),
    });
    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
  });

  it.each([
    ['GET', 'actions'],
    ['POST', 'actions'],
    ['GET', 'action-cohort'],
  ])('keeps %s %s from the keys of workspaces', async (method, path) => {
    const { status } = await call(`${fixture.edge.url}/admin/v1/${path}`, {
      method,
      key: API_KEY,
      ...(method === 'POST' && { body: DOCUMENT }),
    });
    expect(status).toBe(401);
  });
});
