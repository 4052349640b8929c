import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { listing, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe('models in the background', () => {
  let fixture: TestFixture;
  let running: Running;
  let caller: Caller;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start({ modelsRefreshMs: 100 });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    caller = newCaller();
    fixture.upstream.script = listing('m1', 'm2');
    fixture.upstream.received.length = 0;
  });
  const init = () => ({ caller, deadlineMs: 20_000 });
  const create = (over: Partial<CreateConnectionRequest> = {}) => connectAccount(fixture, running, caller, { models: [], ...over });
  const offered = async () => (await running.stub.listModels({}, init())).models.map(({ id }) => id);
  const asked = () => fixture.upstream.received.length;
  const askedAgain = async () => {
    const before = asked();
    await waitFor(() => asked() > before + 1);
  };

  it('follow what the upstream lists', async () => {
    await create();
    await expect(offered()).resolves.toEqual(['m1', 'm2']);
    fixture.upstream.script = listing('m2', 'm3');
    await waitFor(async () => (await offered()).join() === 'm2,m3');
  });

  it('stay what the operator named', async () => {
    await create({ label: 'named', models: ['mine'] });
    await create({ label: 'listed' });
    fixture.upstream.script = listing('m9');
    await waitFor(async () => (await offered()).join() === 'mine,m9');
  });

  it('stay as they are while the upstream does not answer, or lists none', async () => {
    await create();
    for (const script of [refusing(500), listing()]) {
      fixture.upstream.script = script;
      await askedAgain();
      await expect(offered()).resolves.toEqual(['m1', 'm2']);
    }
    await expect(running.stub.listConnections(PAGE, init())).resolves.toMatchObject({ connections: [{ status: 'active' }] });
  });

  it('are no longer offered by an account whose key the upstream refuses, which shows before a turn fails', async () => {
    const { id } = await create();
    fixture.upstream.script = refusing(401);
    await waitFor(async () => (await running.stub.listConnections(PAGE, init())).connections[0]?.status === 'expired');
    await expect(offered()).resolves.toEqual([]);
    fixture.upstream.script = listing('m1');
    await running.stub.updateConnection({ id, secret: 'sk-2' }, init());
    await expect(offered()).resolves.toEqual(['m1']);
  });
});

describe('replicas', () => {
  it('ask each upstream once together', async () => {
    const fixture = await openFixture();
    fixture.upstream.script = listing('m1');
    const first = await fixture.start();
    const caller = newCaller();
    const labels = ['a', 'b', 'c', 'd', 'e'];
    for (const label of labels) await connectAccount(fixture, first, caller, { models: [], label });
    await first.stop();
    await fixture.sql.query(`UPDATE connections SET models_asked_at = now() - interval '2 hours'`);
    const before = fixture.upstream.received.length;
    const replicas = await Promise.all([1, 2, 3].map(() => fixture.start({ modelsRefreshMs: 3_600_000 })));
    await waitFor(() => fixture.upstream.received.length - before >= labels.length);
    for (const replica of replicas) await replica.stop();
    expect(fixture.upstream.received).toHaveLength(before + labels.length);
    await fixture.close();
  });
});
