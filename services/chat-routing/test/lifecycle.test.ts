import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { readChatRoutingConfig } from '../src/config.ts';
import { turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, beginning, finish } from './openai-script.ts';

describe('the life of the service', () => {
  let fixture: TestFixture;
  let running: Running;
  const caller = newCaller();
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
    fixture.upstream.script = answering('ok');
    await connectAccount(fixture, running, caller);
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.conversation.before = () => undefined;
    fixture.upstream.script = answering('ok');
    fixture.upstream.received.length = 0;
  });
  const lastTurn = () => [...fixture.conversation.turns.values()].at(-1);

  it('sends heartbeats, under a name that outlives it', async () => {
    const one = await fixture.start({ instance: 'routing-7', runnerId: '01900000-0000-7000-8000-00000000000a' });
    expect(fixture.conversation.heartbeats).toContainEqual({ runnerName: 'routing-7', runnerId: '01900000-0000-7000-8000-00000000000a' });
    await one.as(caller).turn('hello');
    expect(lastTurn()?.begin.runnerId).toBe('01900000-0000-7000-8000-00000000000a');
    await expect(one.server.ready()).resolves.toMatchObject({ ready: true });
    await one.stop();
  });

  it('starts while the record is away', async () => {
    const one = await fixture.start({ conversationAddress: '127.0.0.1:1' });
    await expect(one.as(caller).turn('hello')).resolves.toMatchObject({ recorded: true, error: { condition: 'SERVICE_UNAVAILABLE' } });
    await one.stop();
  });

  it('lets turns finish when it drains, and refuses new ones', async () => {
    const one = await fixture.start();
    const client = one.as(caller);
    fixture.upstream.script = beginning('slow');
    const slow = client.open(turnRequest('hello'));
    await waitFor(() => slow.text === 'slow');
    let isDrained = false;
    const draining = one.server.drain().then(() => (isDrained = true));
    await expect(client.refusal()).resolves.toBe('SHUTTING_DOWN');
    await expect(one.server.ready()).resolves.toMatchObject({ ready: false });
    expect(isDrained).toBe(false);
    finish(fixture.upstream.received.at(-1)?.res, ' and steady');
    await draining;
    await slow.over;
    expect(slow).toMatchObject({ text: 'slow and steady', error: undefined });
    expect(lastTurn()?.end?.status).toBe('completed');
    await one.stop();
  });

  it('waits for turns whose client has left, and for outcomes that are not written yet', async () => {
    const one = await fixture.start();
    let isDown = true;
    fixture.conversation.before = ({ $case }) => {
      if ($case === 'end' && isDown) throw new GatewayError('SERVICE_UNAVAILABLE', 'down');
    };
    const slow = one.as(caller).open(turnRequest('hello'));
    await waitFor(() => slow.text === 'ok');
    let isDrained = false;
    const draining = one.server.drain().then(() => (isDrained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    isDown = false;
    await Promise.all([draining, slow.over]);
    expect(slow).toMatchObject({ text: 'ok', error: undefined });
    expect(lastTurn()?.end).toMatchObject({ status: 'completed', text: 'ok' });
    await one.stop();
  });

  it('ends what is left when it drained long enough, with shutting_down', async () => {
    const one = await fixture.start({}, { drain: { turnsMs: 100, stopMs: 2_000 } });
    fixture.upstream.script = beginning('slow');
    const slow = one.as(caller).open(turnRequest('hello'));
    await waitFor(() => slow.text === 'slow');
    await one.server.drain();
    expect(slow).toMatchObject({ recorded: true, error: { condition: 'SHUTTING_DOWN' } });
    expect(lastTurn()?.end).toMatchObject({ status: 'failed', text: 'slow', error: { condition: 'SHUTTING_DOWN' } });
    await one.stop();
  });

  it('gives a record up that stays away when it drained long enough', async () => {
    const one = await fixture.start({}, { drain: { turnsMs: 100, stopMs: 300 } });
    fixture.conversation.before = ({ $case }) => {
      if ($case === 'end') throw new GatewayError('SERVICE_UNAVAILABLE', 'down');
    };
    const untold = one.as(caller).open(turnRequest('hello'));
    await waitFor(() => untold.text === 'ok');
    await one.server.drain();
    expect(untold).toMatchObject({ recorded: true, error: { condition: 'SERVICE_UNAVAILABLE' } });
    await one.stop();
  });

  it('answers 503 while its database is away, and recovers', async () => {
    const { hostname, port } = new URL(fixture.databaseUrl);
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    const url = new URL(fixture.databaseUrl);
    url.host = `127.0.0.1:${proxy.port}`;
    const one = await fixture.start({ databaseUrl: url.href });
    await expect(one.as(caller).refusal()).resolves.toBe('');
    proxy.cut();
    // What is in memory still serves; what must be asked is unavailable.
    await expect(one.as(caller).refusal()).resolves.toBe('');
    await expect(one.as(newCaller()).refusal()).resolves.toBe('SERVICE_UNAVAILABLE');
    await expect(one.as(caller).refusal({ routeProfile: 'any' })).resolves.toBe('SERVICE_UNAVAILABLE');
    await expect(connectAccount(fixture, one, caller, { label: 'new' })).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await expect(one.server.ready()).resolves.toMatchObject({ ready: false });
    proxy.resume();
    await waitFor(async () => (await one.as(newCaller()).refusal()) === 'ACCOUNT_NOT_CONNECTED');
    await one.stop();
    await proxy.close();
  });

  it('reads its configuration', () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    const env = {
      DATABASE_URL: 'postgres://db/x',
      NATS_URL: 'nats://a:4222,nats://b:4222',
      PARLEY_CONVERSATION_ADDRESS: 'c:1',
      PARLEY_SECRET_KEYS: `new:${key},old:${key}`,
    };
    const config = readChatRoutingConfig(env);
    expect(config).toMatchObject({
      natsUrl: 'nats://a:4222,nats://b:4222',
      acceptanceMs: 60_000,
      connectMs: 10_000,
      silenceMs: 60_000,
      turnMs: 600_000,
    });
    expect(config.secretKeys.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(readChatRoutingConfig(env).runnerId).not.toBe(config.runnerId);
    for (const keys of ['', 'a', `a:${key.slice(4)}`, `a:${key},a:${key}`, `a b:${key}`]) {
      expect(() => readChatRoutingConfig({ ...env, PARLEY_SECRET_KEYS: keys })).toThrow('PARLEY_SECRET_KEYS');
    }
    expect(() => readChatRoutingConfig({ ...env, NATS_URL: 'nats://a:4222,http://b' })).toThrow('NATS_URL');
  });
});
