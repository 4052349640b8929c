import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus } from '@parley/kit/bus/bus';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { DEFAULT_BREAKER_POLICY } from '../src/domain/breaker.ts';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };
/** A breaker with a cooldown that a test can wait for, and that nothing but turns probes. */
const QUICK = { ...DEFAULT_BREAKER_POLICY, cooldownMs: 300, maxCooldownMs: 300, probeCheckIntervalMs: 3_600_000 };
/** A breaker whose cooldown outlasts a test. */
const LASTING = { ...DEFAULT_BREAKER_POLICY, cooldownMs: 3_600_000, maxCooldownMs: 3_600_000 };
/** A bus whose broker is away. */
const AWAY: Bus = {
  connected: false,
  declareStream: () => undefined,
  publish: async () => Promise.reject(new Error('away')),
  consume: () => ({ stop: async () => undefined }),
  notify: () => undefined,
  onNotice: () => () => undefined,
  onConnected: () => () => undefined,
  drain: async () => undefined,
};

describe('the health of accounts', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.upstream.script = answering('ok');
    fixture.upstream.received.length = 0;
  });
  const replicas: Running[] = [];
  afterEach(async () => {
    for (const replica of replicas.splice(0)) await replica.stop();
  });

  /** Replicas with one account, known to all of them. */
  async function start(
    count: number,
    overrides: Parameters<TestFixture['start']>[1] = {},
  ): Promise<{ clients: Client[]; connection: Connection }> {
    for (let n = 0; n < count; n++) replicas.push(await fixture.start({}, overrides));
    const caller = newCaller();
    const [first] = replicas;
    if (!first) throw new Error('no replica');
    const connection = await connectAccount(fixture, first, caller);
    const clients = replicas.map((replica) => replica.as(caller));
    for (const client of clients) await client.turn('hello');
    return { clients, connection };
  }
  const view = async (replica: Running | undefined, client: Client) => {
    const { connections = [] } = (await replica?.stub.listConnections(PAGE, { caller: client.caller })) ?? {};
    return connections[0];
  };

  it.each([
    ['over NATS', undefined],
    ['with NATS away', AWAY],
  ])('is shared between replicas %s', async (_name, bus) => {
    const { clients } = await start(2, { policy: LASTING, ...(bus && { bus }) });
    const [one, two] = clients as [Client, Client];
    const { accepted } = await two.turn('hello');
    const conversationId = accepted?.conversationId ?? '';
    fixture.upstream.script = refusing(500);
    for (let n = 0; n < DEFAULT_BREAKER_POLICY.consecutiveFailures; n++) await expect(one.refusal()).resolves.toBe('PROVIDER_BAD_ANSWER');
    await expect(one.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
    const asked = fixture.upstream.received.length;
    await waitFor(async () => (await view(replicas[1], two))?.status === 'cooldown');
    await expect(two.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
    await expect(two.turn('hello', { conversationId })).resolves.toMatchObject({
      error: { condition: 'CONVERSATION_UPSTREAM_UNAVAILABLE' },
    });
    expect(fixture.upstream.received).toHaveLength(asked);
    await waitFor(() => fixture.conversation.conversations.get(conversationId)?.continuityStatus === 'upstream_unavailable');
    const shown = await view(replicas[1], two);
    expect(shown).toMatchObject({ status: 'cooldown', health: 'cooldown' });
    expect(shown?.cooldownSeconds).toBeGreaterThan(3_000);
  });

  it('lets one turn probe, across replicas, and closes when it succeeds', async () => {
    const { clients, connection } = await start(2, { policy: QUICK });
    fixture.upstream.script = refusing(503);
    for (let n = 0; n < QUICK.consecutiveFailures; n++) await clients[0]?.refusal();
    await waitFor(async () => (await view(replicas[1], clients[1] as Client))?.status === 'cooldown');
    let probes = 0;
    let answer: () => void = () => undefined;
    fixture.upstream.script = (received) => {
      probes++;
      return new Promise<void>((resolve) => (answer = resolve)).then(() => answering('back')(received));
    };
    // Each replica counts the cooldown on its own clock, from when it read of it.
    for (const [index, client] of clients.entries()) {
      await waitFor(async () => (await view(replicas[index], client))?.cooldownSeconds === 0);
    }
    const turns = Array.from({ length: 10 }, (_, n) => (clients[n % 2] as Client).turn('hello'));
    await waitFor(() => probes > 0);
    let refused = 0;
    for (const turn of turns) void turn.then(() => refused++);
    await waitFor(() => refused === 9);
    expect(probes).toBe(1);
    answer();
    const outcome = await Promise.all(turns);
    expect(outcome.filter((one) => one.text === 'back')).toHaveLength(1);
    expect(outcome.filter((one) => one.error?.condition === 'NO_HEALTHY_SESSION')).toHaveLength(9);
    expect(fixture.conversation.cleared).toContain(connection.id);
    fixture.upstream.script = answering('ok');
    for (const [index, client] of clients.entries()) {
      await waitFor(async () => (await view(replicas[index], client))?.health === 'healthy');
      await expect(client.refusal()).resolves.toBe('');
    }
  });

  it('opens again, for longer, when the probe fails', async () => {
    const { clients, connection } = await start(1, { policy: { ...QUICK, maxCooldownMs: 3_600_000 } });
    const [client] = clients as [Client];
    fixture.upstream.script = refusing(500);
    for (let n = 0; n < QUICK.consecutiveFailures; n++) await client.refusal();
    await waitFor(async () => (await client.refusal()) === 'PROVIDER_BAD_ANSWER');
    // However slow the machine is: the time doubles with each probe, until a turn comes within it.
    await waitFor(async () => (await client.refusal()) === 'NO_HEALTHY_SESSION');
    await waitFor(async () => {
      const { rows } = await fixture.sql.query<{ openings: number }>('SELECT openings FROM connection_health WHERE connection_id = $1', [
        connection.id,
      ]);
      return (rows[0]?.openings ?? 0) >= 2;
    });
  });

  it.each([
    ['left', 'cancel'],
    ['were refused for the request', 'refuse'],
    ['could not begin', 'begin'],
  ])('lets another turn probe when those who probed %s', async (_name, how) => {
    const { clients } = await start(1, { policy: QUICK });
    const [client] = clients as [Client];
    fixture.upstream.script = refusing(500);
    for (let n = 0; n < QUICK.consecutiveFailures; n++) await client.refusal();
    fixture.upstream.received.length = 0;
    fixture.upstream.script = how === 'refuse' ? refusing(400) : () => undefined;
    if (how === 'begin') fixture.conversation.before = ({ $case }) => ($case === 'begin' ? Promise.reject(new Error('no')) : undefined);
    if (how === 'cancel') {
      await waitFor(async () => {
        const outcome = client.open(turnRequest('hello'));
        await Promise.race([outcome.over, waitFor(() => fixture.upstream.received.length > 0)]);
        outcome.call?.cancel();
        return fixture.upstream.received.length > 0;
      });
    } else await waitFor(async () => (await client.refusal()) !== 'NO_HEALTHY_SESSION');
    fixture.conversation.before = () => undefined;
    fixture.upstream.script = answering('back');
    await waitFor(async () => (await client.turn('hello')).text === 'back');
  });

  it('pauses a limited account for five minutes, whatever the outcome of its other turns', async () => {
    const { clients, connection } = await start(1);
    const [client] = clients as [Client];
    const { accepted } = await client.turn('hello');
    let answer: () => void = () => undefined;
    fixture.upstream.script = (received) => new Promise<void>((resolve) => (answer = resolve)).then(() => answering('late')(received));
    fixture.upstream.received.length = 0;
    const late = client.turn('hello');
    await waitFor(() => fixture.upstream.received.length > 0);
    fixture.upstream.script = refusing(429, { 'retry-after': '3' });
    const { error } = await client.turn('hello');
    expect(error?.condition).toBe('PROVIDER_RATE_LIMITED');
    expect(error?.retryAfterMs).toBeGreaterThan(200_000);
    answer();
    await expect(late).resolves.toMatchObject({ text: 'late' });
    expect(await view(replicas[0], client)).toMatchObject({ status: 'rate_limited', health: 'rate_limited' });
    const sticky = await client.turn('hello', { conversationId: accepted?.conversationId });
    expect(sticky.error).toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    expect(sticky.error?.retryAfterMs).toBeGreaterThan(200_000);
    expect(sticky.error?.retryAfterMs).toBeLessThanOrEqual(300_000);
    const readLeft = async () => {
      const { rows } = await fixture.sql.query<{ left: number | null }>(
        'SELECT extract(epoch FROM rate_limited_until - now())::float8 AS left FROM connection_health WHERE connection_id = $1',
        [connection.id],
      );
      return rows[0]?.left ?? 0;
    };
    // The health is stored in the background.
    await expect(waitFor(readLeft)).resolves.toBeGreaterThan(200);
  });

  it('goes on without the database, and stores what it learned afterwards', async () => {
    const { clients, connection } = await start(1);
    const [client] = clients as [Client];
    await fixture.sql.query('ALTER TABLE connection_health RENAME TO hidden');
    fixture.upstream.script = refusing(429);
    await expect(client.refusal()).resolves.toBe('PROVIDER_RATE_LIMITED');
    await expect(client.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
    await fixture.sql.query('ALTER TABLE hidden RENAME TO connection_health');
    await waitFor(async () => {
      const { rows } = await fixture.sql.query('SELECT 1 FROM connection_health WHERE connection_id = $1 AND rate_limited_until > now()', [
        connection.id,
      ]);
      return rows.length > 0;
    });
    await expect(client.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
  });

  it('notes when an account was used last', async () => {
    const { clients, connection } = await start(1);
    await clients[0]?.turn('hello');
    await replicas.shift()?.stop();
    const { rows } = await fixture.sql.query<{ used: boolean }>('SELECT last_used_at IS NOT NULL AS used FROM connections WHERE id = $1', [
      connection.id,
    ]);
    expect(rows[0]?.used).toBe(true);
  });
});
