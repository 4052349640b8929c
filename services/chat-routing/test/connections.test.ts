import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { readSealedKeyId } from '@parley/kit/secrets/secret-box';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { randomBytes } from 'node:crypto';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running, SECRET_KEY } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe('connections', () => {
  let fixture: TestFixture;
  let running: Running;
  let caller: Caller;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    caller = newCaller();
    fixture.upstream.script = answering('ok');
    fixture.upstream.received.length = 0;
  });
  const init = () => ({ caller, deadlineMs: 20_000 });
  const create = (over: Partial<CreateConnectionRequest> = {}) => connectAccount(fixture, running, caller, over);
  const list = async (over: Partial<typeof PAGE> = {}) => running.stub.listConnections({ ...PAGE, ...over }, init());
  const secretOf = async (id: string) => {
    const { rows } = await fixture.sql.query<{ secret: Buffer | null }>('SELECT secret FROM connections WHERE id = $1', [id]);
    return rows[0]?.secret ?? null;
  };

  it('are created with the models of their upstream, which proves the key', async () => {
    const connection = await create({ models: [], label: 'ollama' });
    expect(connection).toMatchObject({
      ...{ workspaceId: caller.workspaceId, label: 'ollama', provider: 'openai-compatible', providerFamily: 'openai' },
      ...{ status: 'active', health: 'healthy', models: ['m1', 'm2'], isDefault: false, baseUrl: `${fixture.upstream.url}/v1` },
    });
    expect(fixture.upstream.received).toMatchObject([{ path: '/v1/models', headers: { authorization: 'Bearer sk-1' } }]);
    await expect(list()).resolves.toMatchObject({ total: 1, connections: [{ id: connection.id }] });
  });

  it('are listed by cursor, each once while others come and go, and found by a part of the label or the provider', async () => {
    const made = [];
    for (const label of ['Alpha', 'beta', 'alphabet']) made.push(await create({ label, models: ['m'] }));
    const ask = (over: { search?: string; cursor?: string; limit?: number }) =>
      running.stub.listConnections({ ...PAGE, limit: 1, cursor: '', ...over }, init());
    const seen = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Awaited<ReturnType<typeof ask>> = await ask({ cursor });
      seen.push(...page.connections.map(({ label }) => label));
      cursor = page.nextCursor;
      if (seen.length === 1) await running.stub.removeConnection({ id: made[0]?.id ?? '', moveTo: '' }, init());
    }
    expect(seen).toEqual(['Alpha', 'beta', 'alphabet']);
    const found = async (search: string) => (await ask({ search, limit: 50 })).connections.map(({ label }) => label);
    await expect(found('ALPHA')).resolves.toEqual(['alphabet']);
    await expect(found('compat')).resolves.toEqual(['beta', 'alphabet']);
    await expect(found(made[1]?.id ?? '')).resolves.toEqual(['beta']);
    await expect(found('%')).resolves.toEqual([]);
    await expect(ask({ cursor: 'abc' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'cursor' });
  });

  it('are read one by one, and not those of another workspace', async () => {
    const { id } = await create({ label: 'mine', models: ['m'] });
    await expect(running.stub.getConnection({ id }, init())).resolves.toMatchObject({ id, label: 'mine', models: ['m'] });
    caller = newCaller();
    await expect(running.stub.getConnection({ id }, init())).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
  });

  it('take models that are named without asking', async () => {
    fixture.upstream.script = refusing(404);
    const named = { models: ['mine'], status: 'active', health: 'unknown' };
    await expect(create({ models: ['mine'], secret: '' })).resolves.toMatchObject(named);
    expect(fixture.upstream.received).toEqual([]);
  });

  it.each<[string, Partial<CreateConnectionRequest>, string, string?]>([
    ['an unknown provider', { provider: 'telepathy' }, 'VALIDATION_ERROR', 'provider'],
    ['a label with a space', { label: 'my account' }, 'VALIDATION_ERROR', 'label'],
    ['no label', { label: '' }, 'VALIDATION_ERROR', 'label'],
    ['a label of 65 characters', { label: 'x'.repeat(65) }, 'VALIDATION_ERROR', 'label'],
    ['a base URL that is none', { baseUrl: 'nowhere' }, 'VALIDATION_ERROR', 'base_url'],
    ['another scheme', { baseUrl: 'file:///etc/passwd' }, 'VALIDATION_ERROR', 'base_url'],
    ['credentials in the URL', { baseUrl: 'http://user:pass@localhost/v1' }, 'VALIDATION_ERROR', 'base_url'],
    ['a query in the URL', { baseUrl: 'http://localhost/v1?key=1' }, 'VALIDATION_ERROR', 'base_url'],
    ['an upstream that is not there', { baseUrl: 'http://127.0.0.1:1/v1', models: [] }, 'PROVIDER_UNAVAILABLE'],
  ])('refuse %s, and store nothing', async (_name, over, condition, param = undefined) => {
    const error: unknown = await create(over).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ condition });
    expect((error as { param?: string }).param).toBe(param);
    await expect(list()).resolves.toMatchObject({ total: 0 });
  });

  it('refuse a key that the upstream refuses, and an upstream without models', async () => {
    fixture.upstream.script = refusing(401);
    await expect(create({ models: [] })).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    fixture.upstream.script = ({ res }) => void res.end('{"data":[]}');
    await expect(create({ models: [] })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'models' });
  });

  it('have labels that are theirs alone in a workspace', async () => {
    const first = await create();
    await expect(create()).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'label' });
    await create({ label: 'second' });
    const update = running.stub.updateConnection({ id: first.id, label: 'second' }, init());
    await expect(update).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'label' });
    await expect(connectAccount(fixture, running, newCaller())).resolves.toMatchObject({ label: 'main' });
  });

  it('have one default', async () => {
    const [one, two] = [await create({ label: 'one', isDefault: true }), await create({ label: 'two', isDefault: true })];
    const defaults = async () => (await list()).connections.filter(({ isDefault }) => isDefault).map(({ label }) => label);
    await expect(defaults()).resolves.toEqual(['two']);
    await running.stub.updateConnection({ id: one.id, isDefault: true }, init());
    await expect(defaults()).resolves.toEqual(['one']);
    await running.stub.updateConnection({ id: two.id, isDefault: false }, init());
    await expect(defaults()).resolves.toEqual(['one']);
  });

  it('are listed by page, provider and status', async () => {
    for (const label of ['a', 'b', 'c']) await create({ label });
    const { connections } = await list();
    await running.stub.updateConnection({ id: connections[0]?.id ?? '', enabled: false }, init());
    const labels = async (over: Partial<typeof PAGE>) => {
      const page = await list(over);
      return [page.total, ...page.connections.map(({ label }) => label)];
    };
    await expect(labels({ limit: 2 })).resolves.toEqual([3, 'a', 'b']);
    await expect(labels({ offset: 2 })).resolves.toEqual([3, 'c']);
    await expect(labels({ status: 'disabled' })).resolves.toEqual([1, 'a']);
    await expect(labels({ provider: 'sandbox' })).resolves.toEqual([0]);
    await expect(running.stub.listModels({}, init())).resolves.toMatchObject({ models: [{ id: 'm1', ownedBy: 'openai-compatible' }] });
  });

  it('belong to their workspace', async () => {
    const { id } = await create();
    const stranger = { caller: newCaller(), deadlineMs: 60_000 };
    const { stub } = running;
    const calls = [
      stub.updateConnection({ id, label: 'mine' }, stranger),
      stub.testConnection({ id }, stranger),
      stub.deleteConnection({ id }, stranger),
      stub.deleteConnection({ id: uuidv7() }, init()),
      stub.deleteConnection({ id: 'no-uuid' }, init()),
      stub.updateConnection({ id: 'no-uuid' }, init()),
    ];
    for (const result of await Promise.allSettled(calls)) expect(result).toMatchObject({ reason: { condition: 'CONNECTION_NOT_FOUND' } });
    await expect(list()).resolves.toMatchObject({ total: 1 });
  });

  it('are known to other replicas at once', async () => {
    const replica = await fixture.start();
    const seen = async () => (await replica.stub.listConnections(PAGE, init())).connections.map(({ label }) => label);
    await expect(seen()).resolves.toEqual([]);
    const { id } = await create({ label: 'new' });
    await waitFor(async () => (await seen())[0] === 'new');
    await running.stub.updateConnection({ id, label: 'renamed' }, init());
    await waitFor(async () => (await seen())[0] === 'renamed');
    await running.stub.deleteConnection({ id }, init());
    await waitFor(async () => (await seen()).length === 0);
    await replica.stop();
  });

  it('change their key only for one that works', async () => {
    const { id } = await create({ models: [] });
    fixture.upstream.script = refusing(401);
    const change = (over: object) => running.stub.updateConnection({ id, ...over }, init());
    await expect(change({ secret: 'sk-2' })).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    fixture.upstream.script = answering('ok');
    await running.as(caller).turn('hello');
    expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-1');
    await change({ secret: 'sk-2' });
    await running.as(caller).turn('hello');
    expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-2');
    await expect(change({ baseUrl: 'http://127.0.0.1:1/v1' })).rejects.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    await expect(change({ baseUrl: 'file:///' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(change({ secret: '' })).resolves.toMatchObject({ status: 'active' });
    await expect(secretOf(id)).resolves.toBeNull();
  });

  it('change the key of a server that lists no models', async () => {
    const { id } = await create({ models: ['mine'] });
    fixture.upstream.script = refusing(404);
    await expect(running.stub.updateConnection({ id, secret: 'sk-2' }, init())).resolves.toMatchObject({ models: ['mine'] });
  });

  describe('secrets', () => {
    it('are stored encrypted, each under its connection', async () => {
      const { id } = await create({ secret: 'sk-very-secret' });
      const dump = await fixture.sql.query('SELECT c::text AS row FROM connections c');
      expect(JSON.stringify(dump.rows)).not.toContain('very-secret');
      expect(JSON.stringify(dump.rows)).not.toContain(Buffer.from('very-secret').toString('hex'));
      const sealed = await secretOf(id);
      expect(sealed && readSealedKeyId(sealed)).toBe('k1');
      expect(JSON.stringify(await list())).not.toContain('secret');

      const other = await create({ label: 'other', secret: 'sk-other' });
      await fixture.sql.query('UPDATE connections SET secret = $2 WHERE id = $1', [other.id, sealed]);
      await waitFor(
        async () => (
          await running.stub.testConnection({ id: other.id }, init()),
          fixture.upstream.received.at(-1)?.headers.authorization === undefined
        ),
      );
    });

    it('are rotated to the current key, also past one that cannot be opened', async () => {
      const [one, broken] = [await create({ label: 'one' }), await create({ label: 'broken' })];
      await fixture.sql.query('UPDATE connections SET secret = $2 WHERE id = $1', [broken.id, Buffer.from([2, 0x7a, 0x7a, 1, 2, 3])]);
      const newest = { id: 'k2', key: randomBytes(32) };
      const replica = await fixture.start({ secretKeys: [newest, SECRET_KEY] });
      const first = await replica.stub.rotateSecrets({}, init());
      expect(first.keyId).toBe('k2');
      expect(first.rotated).toBeGreaterThan(0);
      const sealed = await secretOf(one.id);
      expect(sealed && readSealedKeyId(sealed)).toBe('k2');
      await expect(replica.stub.rotateSecrets({}, init())).resolves.toEqual({ rotated: 0, keyId: 'k2' });
      await replica.as(caller).turn('hello', { upstreamAccount: 'one' });
      expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-1');
      await replica.stop();

      // Without the older key nothing is lost: what the newest protects is still read.
      const later = await fixture.start({ secretKeys: [newest] });
      await later.as(caller).turn('hello', { upstreamAccount: 'one' });
      expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-1');
      await later.stop();
    });
  });

  describe('route profiles', () => {
    const put = (over: object) =>
      running.stub.putRouteProfile({ slug: 'fast', accountLabels: [], model: '', strategy: '', weights: [], ...over }, init());

    it('are put, listed by slug and deleted', async () => {
      await create();
      await put({ slug: 'slow', accountLabels: ['main'] });
      await put({ model: 'm1' });
      await put({ model: 'm2' });
      await expect(running.stub.listRouteProfiles({}, init())).resolves.toEqual({
        profiles: [
          { slug: 'fast', accountLabels: [], model: 'm2', strategy: 'least_loaded', weights: [] },
          { slug: 'slow', accountLabels: ['main'], model: '', strategy: 'priority', weights: [] },
        ],
      });
      await running.stub.deleteRouteProfile({ slug: 'fast' }, init());
      await expect(running.stub.deleteRouteProfile({ slug: 'fast' }, init())).rejects.toMatchObject({
        condition: 'ROUTE_PROFILE_NOT_FOUND',
      });
      await expect(running.stub.listRouteProfiles({}, { caller: newCaller() })).resolves.toEqual({ profiles: [] });
    });

    it('keep their strategy and weights', async () => {
      for (const label of ['a', 'b']) await create({ label });
      const weighted = { accountLabels: ['a', 'b'], strategy: 'weighted', weights: [3, 1] };
      await expect(put(weighted)).resolves.toMatchObject(weighted);
      await expect(running.stub.listRouteProfiles({}, init())).resolves.toMatchObject({ profiles: [weighted] });
      await expect(put({ accountLabels: ['a', 'b'] })).resolves.toMatchObject({ strategy: 'priority', weights: [] });
    });

    it.each([
      ['a strategy that does not exist', { strategy: 'roulette' }, 'strategy'],
      ['weights without accounts', { strategy: 'weighted', weights: [1] }, 'account_labels'],
      ['weights without the strategy', { weights: [1] }, 'weights'],
      ['an empty slug', { slug: '' }, 'slug'],
      ['capitals', { slug: 'Fast' }, 'slug'],
      ['65 characters', { slug: 'x'.repeat(65) }, 'slug'],
      ['an unknown label', { accountLabels: ['unknown'] }, 'account_labels'],
    ])('refuse %s', async (_name, over, param) => {
      await expect(put(over)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
    });
  });
});
