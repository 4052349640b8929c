import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type CreateProjectRequest } from '@parley/protos/routing/v1/project';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { newCaller } from './fixture.ts';
import { openProjectFixture, type ProjectFixture } from './project-fixture.ts';

describe('a project that is not made', () => {
  let all: ProjectFixture;
  let off: Connection;
  let foreign: Connection;
  beforeAll(async () => {
    all = await openProjectFixture();
    off = await all.connect('off');
    await all.running.stub.updateConnection({ id: off.id, enabled: false }, all.init);
    foreign = await all.connect('main', all.running.as(newCaller()));
  });
  afterAll(() => all.fixture.close());
  beforeEach(async () => {
    all.script.before = () => undefined;
    all.script.projects.clear();
    all.script.asked.length = 0;
    await all.fixture.sql.query('DELETE FROM upstream_projects');
    await all.running.stub.updateConnection({ id: all.account.id, secret: 'right' }, all.init);
  });

  it.each<[string, () => Partial<CreateProjectRequest>, object]>([
    ['an unknown policy', () => ({ memoryPolicy: 'x' }), { condition: 'INVALID_MEMORY_POLICY', param: 'memory_policy' }],
    [
      'another workspace’s account',
      () => ({ upstreamAccountId: foreign.id }),
      { condition: 'TENANT_ACCESS_DENIED', param: 'upstream_account_id' },
    ],
    ['an unknown account', () => ({ upstreamAccountId: uuidv7() }), { condition: 'CONNECTION_NOT_FOUND', param: 'upstream_account_id' }],
    ['a disabled account', () => ({ upstreamAccountId: off.id }), { condition: 'ACCOUNT_NOT_ACTIVE', param: 'upstream_account_id' }],
  ])('for %s: nothing is asked upstream', async (_name, over, refusal) => {
    await expect(all.create(over())).rejects.toMatchObject(refusal);
    expect(all.script.asked).toEqual([]);
  });

  it('where the workspace has no account', async () => {
    const asked = all.running.stub.createProject({ name: 'x', memoryPolicy: '', upstreamAccountId: '' }, { caller: newCaller() });
    await expect(asked).rejects.toMatchObject({ condition: 'ACCOUNT_NOT_CONNECTED' });
  });

  it.each([
    [500, 'broken', 'PROJECT_CREATE_FAILED', 'PROJECT_UPDATE_FAILED'],
    [400, 'invalid_request', 'PROJECT_CREATE_FAILED', 'PROJECT_UPDATE_FAILED'],
    [403, 'upgrade_required', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
    [429, 'rate_limited', 'PROVIDER_RATE_LIMITED', 'PROVIDER_RATE_LIMITED'],
    [401, 'session_expired', 'ACCOUNT_REAUTH_REQUIRED', 'ACCOUNT_REAUTH_REQUIRED'],
  ])('as the upstream answers %i %s: %s; a change then ends with %s', async (status, code, creating, changing) => {
    const { id } = await all.create({ name: 'Before' });
    all.script.before = () => ({ status, code });
    const changed = all.running.stub.updateProject({ projectId: id, name: 'After' }, all.init);
    await expect(changed).rejects.toMatchObject({ condition: changing });
    await all.running.stub.updateConnection({ id: all.account.id, secret: 'right' }, all.init);
    await expect(all.create({ name: 'New' })).rejects.toMatchObject({ condition: creating });
    const { projects } = await all.running.stub.listProjects({ search: '', limit: 50, offset: 0 }, all.init);
    expect(projects.map(({ name }) => name)).toEqual(['Before']);
  });

  it('records what it found out about the account', async () => {
    all.script.before = () => ({ status: 401, code: 'session_expired' });
    await expect(all.create()).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    await expect(all.create()).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED_SELECTED' });
    const { connections } = await all.running.stub.listConnections({ provider: '', status: '', limit: 50, offset: 0 }, all.init);
    expect(connections.find(({ id }) => id === all.account.id)).toMatchObject({ status: 'expired' });
  });

  it('because its slug is taken on the account: no call is made upstream', async () => {
    await all.create({ name: 'Apollo 11' });
    await expect(all.create({ name: 'APOLLO-11' })).rejects.toMatchObject({ condition: 'PROJECT_ALREADY_EXISTS', param: 'name' });
    expect(all.script.asked).toHaveLength(1);
  });

  it('because its slug is taken in the workspace, where the account is not named', async () => {
    const second = await all.connect(`second-${uuidv7().slice(-8)}`);
    await all.create();
    await expect(all.create({ upstreamAccountId: '' })).rejects.toMatchObject({ condition: 'PROJECT_ALREADY_EXISTS' });
    await expect(all.create({ upstreamAccountId: second.id })).resolves.toMatchObject({ slug: 'apollo' });
  });

  it('may not take the slug of another by a new name, and may keep its own', async () => {
    const one = await all.create({ name: 'One' });
    await all.create({ name: 'Two' });
    const rename = (name: string) => all.running.stub.updateProject({ projectId: one.id, name }, all.init);
    await expect(rename('TWO')).rejects.toMatchObject({ condition: 'PROJECT_ALREADY_EXISTS' });
    await expect(rename('ONE')).resolves.toMatchObject({ name: 'ONE', slug: 'one' });
  });

  it('because another was made at the same time: one is left, here and upstream', async () => {
    let arrived = 0;
    let go = () => {};
    const both = new Promise<void>((resolve) => (go = resolve));
    all.script.before = async ({ method }) => {
      if (method === 'POST' && ++arrived === 2) go();
      if (method === 'POST') await both;
      return undefined;
    };
    const outcomes = await Promise.allSettled([all.create(), all.create()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { condition: 'PROJECT_ALREADY_EXISTS' } });
    expect(all.script.projects.size).toBe(1);
  });

  it('because it cannot be stored is deleted upstream, when the upstream allows that', async () => {
    await all.fixture.sql.query(`ALTER TABLE upstream_projects ADD CONSTRAINT never CHECK (name <> 'Never')`);
    let refusals = 1;
    all.script.before = ({ method }) => (method === 'DELETE' && refusals-- > 0 ? { status: 503, code: 'overloaded' } : undefined);
    await expect(all.create({ name: 'Never' })).rejects.toMatchObject({ condition: 'INTERNAL_ERROR' });
    await waitFor(() => all.script.projects.size === 0);
    await all.fixture.sql.query('ALTER TABLE upstream_projects DROP CONSTRAINT never');
  });
});
