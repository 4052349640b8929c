import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Connection, type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { DEFAULT_BREAKER_POLICY } from '../src/domain/breaker.ts';
import { type Client } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, divided, explaining, listing, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };
/** What is in doubt is probed soon; the other waits are longer than a test. */
const POLICY = { ...DEFAULT_BREAKER_POLICY, minProbeIntervalMs: 50, probeCheckIntervalMs: 100 };

const WELL = answering('ok');
const LISTED = listing('m1', 'm2');

describe('failures and the health of a connection', () => {
  let fixture: TestFixture;
  let running: Running;
  let replica: Running;
  let client: Client;
  let connection: Connection;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start({}, { policy: POLICY });
    replica = await fixture.start({}, { policy: POLICY });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.upstream.script = WELL;
    client = running.as(newCaller());
    connection = await connect({ models: ['m1', 'm2'] });
    await client.turn('hello');
    fixture.upstream.received.length = 0;
  });
  const connect = (over: Partial<CreateConnectionRequest> = {}) => connectAccount(fixture, running, client.caller, over);
  const init = () => ({ caller: client.caller, deadlineMs: 20_000 });
  const view = async ({ stub }: Running = running) => {
    const { connections } = await stub.listConnections(PAGE, init());
    return connections.find(({ id }) => id === connection.id);
  };
  const listsAsked = () => fixture.upstream.received.filter(({ path }) => path.endsWith('/models')).length;
  const turnsAsked = () => fixture.upstream.received.length - listsAsked();
  const test = () => running.stub.testConnection({ id: connection.id }, init());

  describe('of credit', () => {
    it.each([
      ['402', refusing(402)],
      ['a quota that is spent', explaining(429, 'insufficient_quota', 'You exceeded your current quota')],
    ])('rests for five minutes, which every replica says (%s)', async (_name, script) => {
      fixture.upstream.script = script;
      await expect(client.refusal()).resolves.toBe('PROVIDER_NO_CREDIT');
      await expect(client.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
      expect(turnsAsked()).toBe(1);
      await waitFor(async () => (await view(replica))?.status === 'cooldown');
      for (const shown of [await view(), await view(replica)]) {
        expect(shown).toMatchObject({ status: 'cooldown', health: 'cooldown', reason: 'The credit at the provider is spent.' });
        expect(shown?.cooldownSeconds).toBeGreaterThan(200);
        expect(shown?.cooldownSeconds).toBeLessThanOrEqual(300);
      }
      fixture.upstream.script = WELL;
      await expect(test()).resolves.toMatchObject({ ok: true, connection: { status: 'active', health: 'healthy', reason: '' } });
      await expect(client.refusal()).resolves.toBe('');
    });
  });

  describe('of a model', () => {
    const unknown = explaining(404, 'model_not_found', 'The model `m1` does not exist');
    const withoutM1 = divided({ turns: (received) => (received.body.model === 'm1' ? unknown : WELL)(received), list: LISTED });

    it('pauses that model alone, on every replica, until the connection is tested', async () => {
      fixture.upstream.script = withoutM1;
      await expect(client.refusal({ model: 'm1' })).resolves.toBe('PROVIDER_MODEL_NOT_FOUND');
      await expect(client.refusal({ model: 'm1' })).resolves.toBe('PROVIDER_MODEL_NOT_FOUND');
      await expect(client.refusal({ model: 'm2' })).resolves.toBe('');
      expect(turnsAsked()).toBe(2);
      await waitFor(async () => (await view(replica))?.restingModels.length === 1);
      const shown = { status: 'active', health: 'healthy', restingModels: ['m1'], reason: '' };
      expect([await view(), await view(replica)]).toMatchObject([shown, shown]);
      await expect(replica.as(client.caller).refusal({ model: 'm1' })).resolves.toBe('PROVIDER_MODEL_NOT_FOUND');
      fixture.upstream.script = WELL;
      await test();
      expect((await view())?.restingModels).toEqual([]);
      await expect(client.refusal({ model: 'm1' })).resolves.toBe('');
    });

    it('is forgotten when the upstream lists the model no more', async () => {
      connection = await connect({ label: 'listed', models: [] });
      const only = { upstreamAccount: 'listed' };
      fixture.upstream.script = withoutM1;
      await client.refusal({ ...only, model: 'm1' });
      await waitFor(async () => (await view())?.restingModels.length === 1);
      fixture.upstream.script = divided({ turns: WELL, list: listing('m2') });
      await test();
      fixture.upstream.script = WELL;
      await test();
      expect(await view()).toMatchObject({ models: ['m1', 'm2'], restingModels: [] });
    });
  });

  describe('of the credentials', () => {
    it('expires with the second 401 in a row, not with the first', async () => {
      fixture.upstream.script = divided({ turns: refusing(401), list: LISTED });
      await expect(client.refusal()).resolves.toBe('ACCOUNT_REAUTH_REQUIRED');
      await waitFor(() => listsAsked() === 1);
      expect(await view()).toMatchObject({ status: 'active', health: 'healthy' });
      await client.refusal();
      expect(await view()).toMatchObject({ status: 'expired', reason: 'The provider no longer accepts the credentials.' });
      await waitFor(async () => (await view(replica))?.status === 'expired');
    });

    it('is not worse for 401s between turns that were answered', async () => {
      for (let n = 0; n < 3; n++) {
        fixture.upstream.script = divided({ turns: refusing(401), list: LISTED });
        await client.refusal();
        fixture.upstream.script = WELL;
        await expect(client.refusal()).resolves.toBe('');
      }
      expect(await view()).toMatchObject({ status: 'active' });
    });

    it('counts 401s of different replicas together', async () => {
      fixture.upstream.script = divided({ turns: refusing(401), list: LISTED });
      await client.refusal();
      const isKnown = async () => {
        const { rows } = await fixture.sql.query<{ known: boolean }>(
          'SELECT unauthorized_once AS known FROM connection_health WHERE connection_id = $1',
          [connection.id],
        );
        return rows[0]?.known;
      };
      await waitFor(isKnown);
      await waitFor(async () => {
        await replica.as(client.caller).refusal();
        return (await view(replica))?.status === 'expired';
      });
      await waitFor(async () => (await view())?.status === 'expired');
    });

    it('expires with one 401 that a probe confirms', async () => {
      fixture.upstream.script = refusing(401);
      await client.refusal();
      await waitFor(async () => (await view())?.status === 'expired');
      expect(turnsAsked()).toBe(1);
    });

    it('stays well after 403s of a prompt when the list of models answers', async () => {
      const forbidden = explaining(403, 'not_allowed', 'This prompt is not for you');
      fixture.upstream.script = divided({ turns: forbidden, list: LISTED });
      for (let n = 1; n < 4; n++) {
        // A refusal while a probe runs is answered by that probe: the next one asks for another.
        await waitFor(async () => {
          await expect(client.refusal()).resolves.toBe('PROVIDER_FORBIDDEN');
          return listsAsked() >= n;
        });
      }
      expect(await view()).toMatchObject({ status: 'active', health: 'healthy' });
      fixture.upstream.script = WELL;
      await expect(client.refusal()).resolves.toBe('');
    });

    it.each([401, 403])('expires after a 403 of a prompt when the probe is answered %i', async (status) => {
      fixture.upstream.script = divided({ turns: refusing(403), list: refusing(status) });
      await client.refusal();
      await waitFor(async () => (await view())?.status === 'expired');
    });

    it('ignores the outcome of calls with credentials that were replaced meanwhile', async () => {
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      fixture.upstream.script = divided({ turns: (received) => held.then(() => refusing(401)(received)), list: LISTED });
      const late = [client.turn('hello'), client.turn('hello')];
      await waitFor(() => turnsAsked() === 2);
      await running.stub.updateConnection({ id: connection.id, secret: 'sk-2' }, init());
      answer();
      await Promise.all(late);
      expect(await view()).toMatchObject({ status: 'active', health: 'healthy' });
    });
  });

  describe('of the request', () => {
    it.each([400, 413, 422])(
      'does not count a %i as a failure, but probes after several different conversations in a row',
      async (status) => {
        fixture.upstream.script = divided({ turns: refusing(status), list: LISTED });
        for (let n = 1; n < POLICY.rejectionsBeforeProbe; n++) await client.refusal();
        expect(listsAsked()).toBe(0);
        await client.refusal();
        await waitFor(() => listsAsked() === 1);
        expect(await view()).toMatchObject({ status: 'active', health: 'healthy' });
        expect(turnsAsked()).toBe(POLICY.rejectionsBeforeProbe);
      },
    );

    it('lets the probe decide', async () => {
      fixture.upstream.script = divided({ turns: refusing(400), list: refusing(401) });
      for (let n = 0; n < POLICY.rejectionsBeforeProbe; n++) await client.refusal();
      await waitFor(async () => (await view())?.status === 'expired');
    });
  });

  describe('and what the operator finds out', () => {
    it.each([
      [401, 'expired'],
      [402, 'cooldown'],
      [429, 'rate_limited'],
    ])('counts at once when a test is answered %i', async (status, shown) => {
      fixture.upstream.script = refusing(status);
      await expect(test()).resolves.toMatchObject({ ok: false, connection: { status: shown } });
    });

    it('is healthy once it is connected with its upstream, tested, or reconnected', async () => {
      const healthy = { status: 'active', health: 'healthy' };
      connection = await connect({ label: 'named', models: ['mine'] });
      expect(connection).toMatchObject({ health: 'unknown' });
      await expect(test()).resolves.toMatchObject({ connection: healthy });
      await expect(connect({ label: 'listed', models: [] })).resolves.toMatchObject(healthy);
      await expect(running.stub.updateConnection({ id: connection.id, secret: 'sk-2' }, init())).resolves.toMatchObject(healthy);
    });

    it('stores the models of a test and of a reconnect, unless the operator named them', async () => {
      const named = await connect({ label: 'named', models: ['mine'] });
      connection = await connect({ label: 'listed', models: [] });
      fixture.upstream.script = listing('m3');
      await expect(test()).resolves.toMatchObject({ models: ['m3'], connection: { models: ['m3'] } });
      await waitFor(async () => (await view(replica))?.models.join() === 'm3');
      fixture.upstream.script = listing('m4');
      const baseUrl = `${fixture.upstream.url}/v1/`;
      await expect(running.stub.updateConnection({ id: connection.id, baseUrl }, init())).resolves.toMatchObject({ models: ['m4'] });
      for (const call of [
        running.stub.testConnection({ id: named.id }, init()),
        running.stub.updateConnection({ id: named.id, baseUrl }, init()),
      ])
        await call;
      const { connections } = await running.stub.listConnections(PAGE, init());
      expect(connections.find(({ id }) => id === named.id)).toMatchObject({ models: ['mine'] });
    });

    it('moves a server without a list of models to another address', async () => {
      fixture.upstream.script = divided({ turns: WELL, list: refusing(404) });
      const baseUrl = `${fixture.upstream.url}/v1/`;
      const moved = running.stub.updateConnection({ id: connection.id, baseUrl }, init());
      await expect(moved).resolves.toMatchObject({ models: ['m1', 'm2'], health: 'healthy' });
    });
  });
});
