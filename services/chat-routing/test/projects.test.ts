import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { newCaller } from './fixture.ts';
import { openProjectFixture, type ProjectFixture } from './project-fixture.ts';

describe('a project', () => {
  let all: ProjectFixture;
  beforeAll(async () => {
    all = await openProjectFixture();
  });
  afterAll(() => all.fixture.close());
  beforeEach(async () => {
    all.script.before = () => undefined;
    all.script.policy = undefined;
    all.script.projects.clear();
    await all.fixture.sql.query('DELETE FROM upstream_projects');
  });
  const get = (projectId: string) => all.running.stub.getProject({ projectId }, all.init);
  const list = (search = '', limit = 50, offset = 0) => all.running.stub.listProjects({ search, limit, offset }, all.init);
  const update = (projectId: string, change: { name?: string; instructions?: string }) =>
    all.running.stub.updateProject({ projectId, ...change }, all.init);
  const remove = (projectId: string) => all.running.stub.deleteProject({ projectId }, all.init);

  it('is created upstream, stored, bound, and published', async () => {
    const made = await all.create({ name: 'Café Plans', instructions: 'Be brief.', memoryPolicy: 'project_only' });
    expect([...all.script.projects.values()]).toEqual([
      { id: expect.any(String), name: 'Café Plans', instructions: 'Be brief.', memory_policy: 'project_only' },
    ]);
    expect(made).toMatchObject({
      ...{ name: 'Café Plans', slug: 'cafe-plans', status: 'active', isDefault: false, bound: true, instructions: 'Be brief.' },
      ...{ effectiveMemoryPolicy: 'project_only', memoryPolicyStatus: 'verified', upstreamAccountId: all.account.id },
    });
    await expect(get(made.id)).resolves.toEqual({ ...made, conversationCount: 0, sources: [] });
    await expect(all.eventsOf(made.id, 1)).resolves.toMatchObject([
      {
        subject: EVENT_SUBJECTS.projectCreated,
        change: { workspaceId: all.client.caller.workspaceId, connectionId: all.account.id, slug: 'cafe-plans', status: 'active' },
      },
    ]);
  });

  it('has the policy of the upstream, and reports where that is not the one asked for', async () => {
    all.script.policy = 'provider_default';
    await expect(all.create({ memoryPolicy: 'account_connected' })).resolves.toMatchObject({
      effectiveMemoryPolicy: 'provider_default',
      memoryPolicyStatus: 'unavailable',
    });
  });

  it('is listed newest first, by a part of its name, with its conversations counted', async () => {
    const one = await all.create({ name: 'Alpha 100%' });
    const two = await all.create({ name: 'beta' });
    await all.running.stub.createConversation(
      { title: '', upstreamAccountId: '', upstreamProjectId: one.id, model: '', imported: [] },
      all.init,
    );
    const { projects, total } = await list();
    expect(projects.map(({ id, conversationCount }) => [id, conversationCount])).toEqual([
      [two.id, 0],
      [one.id, 1],
    ]);
    expect(total).toBe(2);
    expect((await get(one.id)).conversationCount).toBe(1);
    await expect(list('LPHA')).resolves.toMatchObject({ total: 1, projects: [{ id: one.id }] });
    await expect(list('0%')).resolves.toMatchObject({ total: 1 });
    await expect(list('%')).resolves.toMatchObject({ total: 1 });
    await expect(list('_')).resolves.toMatchObject({ total: 0 });
    await expect(list('', 1, 1)).resolves.toMatchObject({ total: 2, projects: [{ id: one.id }] });
  });

  it('is renamed upstream and here; its slug stays', async () => {
    const { id } = await all.create({ name: 'Apollo', instructions: 'One.' });
    await expect(update(id, { name: 'Gemini' })).resolves.toMatchObject({ name: 'Gemini', slug: 'apollo', instructions: 'One.' });
    await expect(update(id, { instructions: '' })).resolves.toMatchObject({ name: 'Gemini', instructions: undefined });
    expect([...all.script.projects.values()]).toMatchObject([{ name: 'Gemini', instructions: '' }]);
    const subjects = (await all.eventsOf(id, 3)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([EVENT_SUBJECTS.projectCreated, EVENT_SUBJECTS.projectUpdated, EVENT_SUBJECTS.projectUpdated]);
  });

  it('is deleted upstream and here, once, with its files; its slug is free again', async () => {
    const made = await all.create();
    await all.addSource(made, 'a.txt', 'text');
    await remove(made.id);
    expect(all.script.projects.size).toBe(0);
    await expect(get(made.id)).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    await expect(remove(made.id)).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    expect((await all.fixture.sql.query('SELECT FROM upstream_files WHERE project_id = $1', [made.id])).rowCount).toBe(0);
    await expect(all.eventsOf(made.id, 2)).resolves.toContainEqual(
      expect.objectContaining({ subject: EVENT_SUBJECTS.projectDeleted, change: expect.objectContaining({ status: 'deleted' }) }),
    );
    await expect(all.create()).resolves.toMatchObject({ slug: made.slug });
  });

  it('that is gone upstream already is deleted all the same', async () => {
    const { id } = await all.create();
    all.script.projects.clear();
    await remove(id);
    await expect(get(id)).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
  });

  it('that the upstream does not delete stays', async () => {
    const { id } = await all.create();
    all.script.before = () => ({ status: 500, code: 'broken' });
    await expect(remove(id)).rejects.toMatchObject({ condition: 'PROJECT_UPDATE_FAILED' });
    await expect(get(id)).resolves.toMatchObject({ status: 'active' });
  });

  it('of another workspace is unknown', async () => {
    const { id } = await all.create();
    const other = { caller: newCaller() };
    const { stub } = all.running;
    for (const ask of [
      () => stub.getProject({ projectId: id }, other),
      () => stub.updateProject({ projectId: id, name: 'Mine' }, other),
      () => stub.deleteProject({ projectId: id }, other),
      () => stub.listProjectSources({ projectId: id }, other),
      () => stub.deleteProjectSource({ projectId: id, sourceId: uuidv7() }, other),
      () => stub.bindProject({ projectId: id, bound: true }, other),
    ])
      await expect(ask()).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    await expect(stub.listProjects({ search: '', limit: 50, offset: 0 }, other)).resolves.toEqual({ projects: [], total: 0 });
    await expect(get('not-an-id')).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
  });

  it('lists its files, and gives one up with its asset', async () => {
    const project = await all.create();
    const one = await all.addSource(project, 'one.txt', 'text', { upstreamRef: 'sf_1' });
    const two = await all.addSource(project, 'two.txt', 'text', { status: 'processing' });
    const { sources } = await all.running.stub.listProjectSources({ projectId: project.id }, all.init);
    expect(sources).toMatchObject([
      { id: one.id, sourceType: 'file', title: 'one.txt', status: 'ready', mimeType: 'text/plain', sizeBytes: 4, assetId: one.assetId },
      { id: two.id, title: 'two.txt', status: 'processing' },
    ]);
    expect((await get(project.id)).sources).toEqual(sources);
    const gone = () => all.running.stub.deleteProjectSource({ projectId: project.id, sourceId: one.id }, all.init);
    await expect(gone()).resolves.toEqual({ assetId: one.assetId });
    expect(all.script.asked.at(-1)).toMatchObject({
      method: 'DELETE',
      path: expect.stringMatching(/^\/api\/projects\/sp_\d+\/files\/sf_1$/),
    });
    await expect(gone()).rejects.toMatchObject({ condition: 'SOURCE_NOT_FOUND' });
    const other = await all.create({ name: 'Other' });
    const wrong = all.running.stub.deleteProjectSource({ projectId: other.id, sourceId: two.id }, all.init);
    await expect(wrong).rejects.toMatchObject({ condition: 'SOURCE_NOT_FOUND' });
  });
});
