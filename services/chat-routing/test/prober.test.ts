import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { DEFAULT_BREAKER_POLICY } from '../src/domain/breaker.ts';
import { type Client } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, divided, listing, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };
/** Rests that a test can wait for. */
const POLICY = {
  ...DEFAULT_BREAKER_POLICY,
  ...{
    cooldownMs: 100,
    maxCooldownMs: 400,
    creditMs: 100,
    maxCreditMs: 100,
    expiredMs: 100,
    maxExpiredMs: 100,
    minProbeIntervalMs: 50,
    probeCheckIntervalMs: 50,
  },
};

const WELL = answering('ok');
const LISTED = listing('m1', 'm2');

describe('the prober', () => {
  let fixture: TestFixture;
  let one: Running;
  let two: Running;
  let client: Client;
  let connection: Connection;
  beforeAll(async () => {
    fixture = await openFixture();
    [one, two] = [await fixture.start({}, { policy: POLICY }), await fixture.start({}, { policy: POLICY })];
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.upstream.script = WELL;
    client = one.as(newCaller());
    connection = await connectAccount(fixture, one, client.caller, { secret: client.caller.workspaceId, models: ['m1', 'm2'] });
    await client.turn('hello');
    fixture.upstream.received.length = 0;
  });
  afterEach(async () => {
    const { connections } = await one.stub.listConnections(PAGE, init());
    for (const { id } of connections) await one.stub.deleteConnection({ id }, init());
  });
  const init = () => ({ caller: client.caller, deadlineMs: 20_000 });
  const view = async ({ stub } = one) => {
    const { connections } = await stub.listConnections(PAGE, init());
    return connections.find(({ id }) => id === connection.id);
  };
  const isBack = async (running = one) => {
    const shown = await view(running);
    return shown?.status === 'active' && shown.health === 'healthy';
  };
  /** What was asked with a secret; that of a test is its own, as probes of an earlier one may be under way. */
  const asked = (secret = client.caller.workspaceId) =>
    fixture.upstream.received.filter(({ headers }) => headers.authorization === `Bearer ${secret}`);
  /** How many turns people had; a probe of ours may ask for one token. */
  const turnsAsked = () => asked().filter(({ path, body }) => !path.endsWith('/models') && !('max_tokens' in body)).length;
  const openings = async () => {
    const { rows } = await fixture.sql.query<{ openings: number }>('SELECT openings FROM connection_health WHERE connection_id = $1', [
      connection.id,
    ]);
    return rows[0]?.openings ?? 0;
  };
  const fail = async (status: number, times = 1) => {
    fixture.upstream.script = refusing(status);
    for (let n = 0; n < times; n++) await client.refusal();
    await waitFor(async () => (await view())?.status !== 'active');
    fixture.upstream.received.length = 0;
  };

  it('brings a connection back from failures without any turn, on every replica', async () => {
    await fail(500, POLICY.consecutiveFailures);
    await waitFor(async () => (await openings()) >= 3);
    fixture.upstream.script = WELL;
    for (const replica of [one, two]) await waitFor(() => isBack(replica));
    expect(turnsAsked()).toBe(0);
    await waitFor(() => fixture.conversation.cleared.includes(connection.id));
    for (const replica of [one, two]) await expect(replica.as(client.caller).refusal()).resolves.toBe('');
  });

  it.each([
    ['expired credentials', 401],
    ['spent credit', 402],
  ])('brings a connection back from %s when its upstream takes turns again', async (_name, status) => {
    await fail(status);
    await waitFor(() => asked().length > 2);
    fixture.upstream.script = WELL;
    for (const replica of [one, two]) await waitFor(() => isBack(replica));
    expect(turnsAsked()).toBe(0);
    await expect(client.refusal()).resolves.toBe('');
  });

  it('asks for an answer of one token where credit is in question, and keeps resting while there is none', async () => {
    await fail(402);
    const isChat = (path: string) => path.endsWith('/chat/completions');
    fixture.upstream.script = divided({ turns: refusing(402), list: LISTED });
    await waitFor(() => asked().filter(({ path }) => isChat(path)).length >= 2);
    await waitFor(async () => (await view())?.reason === 'The credit at the provider is spent.');
    expect(turnsAsked()).toBe(0);
  });

  it('is one replica at a time', async () => {
    await fail(500, POLICY.consecutiveFailures);
    let open = 0;
    let most = 0;
    let probes = 0;
    fixture.upstream.script = ({ headers, res }) => {
      if (headers.authorization !== `Bearer ${client.caller.workspaceId}`) return void res.writeHead(500).end();
      probes++;
      most = Math.max(most, ++open);
      setTimeout(() => (open--, res.writeHead(500).end()), 100).unref();
    };
    await waitFor(() => probes >= 4);
    expect(most).toBe(1);
  });

  it('leaves a disabled connection in peace, and probes it once it is enabled', async () => {
    const spare = await connectAccount(fixture, one, client.caller, { label: 'spare', secret: 'sk-spare', models: ['m1'] });
    fixture.upstream.script = refusing(401);
    for (const label of ['main', 'spare']) await client.refusal({ upstreamAccount: label });
    await waitFor(async () => (await one.stub.listConnections({ ...PAGE, status: 'expired' }, init())).total === 2);
    const enable = (enabled: boolean) => one.stub.updateConnection({ id: spare.id, enabled }, init());
    await enable(false);
    const isClaimed = async () => {
      const text = 'SELECT 1 FROM connection_health WHERE connection_id = $1 AND probe_until > now()';
      return (await fixture.sql.query(text, [spare.id])).rowCount === 1;
    };
    await waitFor(async () => !(await isClaimed()));
    fixture.upstream.received.length = 0;
    await waitFor(() => asked().length >= 3);
    expect(asked('sk-spare')).toEqual([]);
    await enable(true);
    await waitFor(() => asked('sk-spare').length > 0);
  });
});
