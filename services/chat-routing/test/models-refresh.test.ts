import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { connectAccount, type House, newCaller, openHouse, type Running } from './house.ts';
import { listing, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe('models in the background', () => {
  let house: House;
  let running: Running;
  let caller: Caller;
  beforeAll(async () => {
    house = await openHouse();
    running = await house.start({ modelsRefreshMs: 100 });
  });
  afterAll(() => house.close());
  beforeEach(() => {
    caller = newCaller();
    house.upstream.script = listing('m1', 'm2');
    house.upstream.received.length = 0;
  });
  const init = () => ({ caller, deadlineMs: 20_000 });
  const create = (over: Partial<CreateConnectionRequest> = {}) => connectAccount(house, running, caller, { models: [], ...over });
  const offered = async () => (await running.stub.listModels({}, init())).models.map(({ id }) => id);
  const asked = () => house.upstream.received.length;
  const askedAgain = async () => {
    const before = asked();
    await waitFor(() => asked() > before + 1);
  };

  it('follow what the upstream lists', async () => {
    await create();
    await expect(offered()).resolves.toEqual(['m1', 'm2']);
    house.upstream.script = listing('m2', 'm3');
    await waitFor(async () => (await offered()).join() === 'm2,m3');
  });

  it('stay what the operator named', async () => {
    await create({ label: 'named', models: ['mine'] });
    await create({ label: 'listed' });
    house.upstream.script = listing('m9');
    await waitFor(async () => (await offered()).join() === 'mine,m9');
  });

  it('stay as they are while the upstream does not answer, or lists none', async () => {
    await create();
    for (const script of [refusing(500), listing()]) {
      house.upstream.script = script;
      await askedAgain();
      await expect(offered()).resolves.toEqual(['m1', 'm2']);
    }
    await expect(running.stub.listConnections(PAGE, init())).resolves.toMatchObject({ connections: [{ status: 'active' }] });
  });

  it('are no longer offered by an account whose key the upstream refuses, which shows before a turn fails', async () => {
    const { id } = await create();
    house.upstream.script = refusing(401);
    await waitFor(async () => (await running.stub.listConnections(PAGE, init())).connections[0]?.status === 'expired');
    await expect(offered()).resolves.toEqual([]);
    house.upstream.script = listing('m1');
    await running.stub.updateConnection({ id, secret: 'sk-2' }, init());
    await expect(offered()).resolves.toEqual(['m1']);
  });
});

describe('replicas', () => {
  it('ask each upstream once between them', async () => {
    const house = await openHouse();
    house.upstream.script = listing('m1');
    const first = await house.start();
    const caller = newCaller();
    const labels = ['a', 'b', 'c', 'd', 'e'];
    for (const label of labels) await connectAccount(house, first, caller, { models: [], label });
    await first.stop();
    await house.sql.query(`UPDATE connections SET models_asked_at = now() - interval '2 hours'`);
    const before = house.upstream.received.length;
    const replicas = await Promise.all([1, 2, 3].map(() => house.start({ modelsRefreshMs: 3_600_000 })));
    await waitFor(() => house.upstream.received.length - before >= labels.length);
    for (const replica of replicas) await replica.stop();
    expect(house.upstream.received).toHaveLength(before + labels.length);
    await house.close();
  });
});
