import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { ActionCatalog } from '../src/catalog/action-catalog.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { type Edits, noteDocument } from './documents.ts';
import { type TestFixture, newCaller, openFixture, type Running, SILENT } from './fixture.ts';

const BY = { caller: SYSTEM_CALLER };

describe('the catalog', () => {
  let fixture: TestFixture;
  let running: Running;
  let database: Database;
  let catalog: ActionCatalog;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
    database = openDatabase(fixture.databaseUrl, SILENT);
    catalog = new ActionCatalog(database);
  });
  afterAll(async () => {
    await database?.close();
    await fixture?.close();
  });

  const publish = (slug: string, edits: Edits = {}) => running.stub.publishAction(noteDocument({ ...edits, '/x-parley-slug': slug }), BY);

  it('shows what was published, with its inputs and outputs', async () => {
    await publish('shown');
    await expect(running.stub.getAction({ slug: 'shown' }, { caller: newCaller() })).resolves.toMatchObject({
      ...{ slug: 'shown', title: 'Keep a note', version: 1, status: 'active', risk: 'write', requiresConnection: true, stepCount: 3 },
      inputs: [
        { name: 'text', type: 'string', required: true, description: 'What to write down.' },
        { name: 'file', type: 'file', required: false, description: 'What to read.' },
        { name: 'tags', type: 'array', required: false, description: '' },
      ],
      outputs: ['note'],
    });
  });

  it('gives each document a version, and the same document the version it has, however it is laid out', async () => {
    await expect(publish('versions')).resolves.toMatchObject({ version: 1 });
    const { document, sources } = noteDocument({ '/x-parley-slug': 'versions' });
    const turned = Object.fromEntries(Object.entries(JSON.parse(document) as object).reverse());
    await expect(running.stub.publishAction({ document: JSON.stringify(turned, null, 2), sources }, BY)).resolves.toMatchObject({
      version: 1,
    });
    await expect(publish('versions', { '/info/title': 'Another' })).resolves.toMatchObject({ version: 2, title: 'Another' });
    await expect(catalog.findCurrentVersion('versions')).resolves.toMatchObject({ version: 2, workflow: { title: 'Another' } });
    await expect(publish('versions')).resolves.toMatchObject({ version: 1, title: 'Keep a note' });
    await expect(catalog.findCurrentVersion('versions')).resolves.toMatchObject({ version: 1 });
    await expect(catalog.findVersion('versions', 2)).resolves.toMatchObject({ workflow: { title: 'Another' } });
    await expect(catalog.findVersion('versions', 3)).resolves.toBeUndefined();
  });

  it('hands out every version as it was published, to be published again', async () => {
    await publish('kept');
    await publish('kept', { '/info/title': 'Another' });
    const { versions } = await running.stub.listVersions({ slug: 'kept' }, BY);
    expect(versions.map(({ version, isCurrent }) => [version, isCurrent])).toEqual([
      [2, true],
      [1, false],
    ]);
    const first = noteDocument({ '/x-parley-slug': 'kept' });
    const { version, document } = await running.stub.getVersion({ slug: 'kept', version: 1 }, BY);
    expect(version).toMatchObject({ version: 1, isCurrent: false });
    expect(JSON.parse(document?.document ?? '')).toEqual(JSON.parse(first.document));
    await expect(running.stub.publishAction(document ?? first, BY)).resolves.toMatchObject({ version: 1 });
    const unknown = [
      () => running.stub.getVersion({ slug: 'kept', version: 3 }, BY),
      () => running.stub.listVersions({ slug: 'nothing' }, BY),
    ];
    for (const read of unknown) await expect(read()).rejects.toMatchObject({ condition: 'ACTION_NOT_FOUND' });
  });

  it('counts the versions of publications at once without gaps', async () => {
    const titles = Array.from({ length: 10 }, (_, n) => `Title ${n % 5}`);
    const made = await Promise.all(titles.map((title) => publish('racing', { '/info/title': title })));
    expect([...new Set(made.map(({ version }) => version))].every((version) => version <= 5)).toBe(true);
    await expect(fixture.sql.query(`SELECT version FROM action_versions WHERE slug = 'racing' ORDER BY version`)).resolves.toMatchObject({
      rows: [1, 2, 3, 4, 5].map((version) => ({ version })),
    });
  });

  it('refuses a document with findings, and says them', async () => {
    const wrong = { '/workflows/0/steps/0/operationId': 'fly' };
    await expect(publish('wrong', wrong)).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      message: expect.stringMatching(/steps\/0\/operationId: No source/) as unknown,
    });
    await expect(running.stub.validateDocument(noteDocument({ ...wrong, '/x-parley-slug': 'wrong' }), BY)).resolves.toEqual({
      slug: 'wrong',
      findings: [{ path: '/workflows/0/steps/0/operationId', message: "No source description has the operation 'fly'." }],
    });
    await expect(running.stub.getAction({ slug: 'wrong' }, BY)).rejects.toMatchObject({ condition: 'ACTION_NOT_FOUND' });
  });

  it('hides what is disabled from all but the operator and runs that have begun, through publications, until it is enabled', async () => {
    await publish('hidden');
    await expect(running.stub.setActionEnabled({ slug: 'hidden', enabled: false }, BY)).resolves.toMatchObject({ status: 'disabled' });
    await expect(publish('hidden', { '/info/title': 'New' })).resolves.toMatchObject({ status: 'disabled', version: 2 });
    await expect(running.stub.getAction({ slug: 'hidden' }, BY)).rejects.toMatchObject({ condition: 'ACTION_NOT_FOUND' });
    await expect(catalog.findCurrentVersion('hidden')).resolves.toBeUndefined();
    await expect(catalog.findVersion('hidden', 1)).resolves.toMatchObject({ version: 1 });
    const slugs = async (list: 'listActions' | 'listAllActions') =>
      (await running.stub[list]({ limit: 0, offset: 0 }, BY)).actions.map(({ slug }) => slug);
    expect(await slugs('listActions')).not.toContain('hidden');
    expect(await slugs('listAllActions')).toContain('hidden');
    await running.stub.setActionEnabled({ slug: 'hidden', enabled: true }, BY);
    expect(await slugs('listActions')).toContain('hidden');
    await expect(running.stub.setActionEnabled({ slug: 'unknown', enabled: true }, BY)).rejects.toMatchObject({
      condition: 'ACTION_NOT_FOUND',
    });
  });

  it('pages by slug, with how many there are', async () => {
    const { total, actions } = await running.stub.listAllActions({ limit: 1, offset: 1 }, BY);
    const { rows } = await fixture.sql.query<{ slug: string }>('SELECT slug FROM actions ORDER BY slug');
    expect({ total, slugs: actions.map(({ slug }) => slug) }).toEqual({ total: rows.length, slugs: [rows[1]?.slug] });
    await expect(running.stub.listActions({ limit: 201, offset: 0 }, BY)).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'limit',
    });
  });

  it('lets workspaces into the cohort and out of it', async () => {
    const workspaceId = uuidv7();
    for (const member of [true, true, false, true]) {
      await running.stub.setCohortMember({ workspaceId, member }, BY);
      await expect(catalog.isCohortMember(workspaceId)).resolves.toBe(member);
    }
    expect((await running.stub.listCohort({}, BY)).workspaceIds).toContain(workspaceId);
    await expect(running.stub.setCohortMember({ workspaceId: 'x', member: true }, BY)).rejects.toMatchObject({ param: 'workspace_id' });
  });
});
