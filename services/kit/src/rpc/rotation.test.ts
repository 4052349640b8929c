import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { waitFor } from '../testing/wait-for.ts';
import { connect, type ConnectOptions } from './client.ts';
import { callMultiplexed, type ServerStream } from './multiplexed-call.ts';
import { type ListenAddress } from './serve.ts';
import { Echo, type EchoFixture, INIT, openEcho, type Text } from './testing/echo.ts';
import { RecordingObserver } from './testing/recording-observer.ts';

/** A replica that returns its name, and keeps calls with the text `hold` open. */
interface Replica extends EchoFixture {
  name: string;
  address: string;
  port: string;
  calls: number;
  held: ServerStream<Text>[];
}

describe('several addresses', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function replica(name: string, listen: ListenAddress = '127.0.0.1:0'): Promise<Replica> {
    const facts = { name, calls: 0, held: [] as ServerStream<Text>[] };
    const fixture = await openEcho(listen, {
      say: async () => (facts.calls++, { text: name }),
      talk: ({ text }, stream) => {
        facts.calls++;
        if (text === 'hold') facts.held.push(stream);
        else stream.end({ text: name });
      },
    });
    cleanups.push(() => fixture.close());
    const address = fixture.endpoint.address as string;
    return Object.assign(facts, fixture, { address, port: address.split(':')[1] ?? '' });
  }

  const open = (address: string, options: ConnectOptions = {}) => {
    const stub = connect(Echo, address, options);
    cleanups.push(() => stub.close());
    return stub;
  };
  type EchoStub = ReturnType<typeof open>;
  const name = async (stub: EchoStub) => (await callMultiplexed(stub.talk, { text: '' }, INIT)).text;
  /** The names of the replicas that answer a number of sequential calls. */
  const names = async (stub: EchoStub, count = 8) => {
    const answered = new Set<string>();
    for (let n = 0; n < count; n++) answered.add(await name(stub)).add((await stub.say({ text: '' }, INIT)).text);
    return [...answered].sort().join('');
  };
  const waitForNames = (stub: EchoStub, all: string) => waitFor(async () => (await names(stub).catch(() => '')) === all);

  it('share calls, each going to the target with the fewest in progress', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const stub = open(`${a.address}, ${b.address}`);
    await waitForNames(stub, 'ab');
    const listeners = Array.from({ length: 20 }, () => new RecordingObserver());
    for (const listener of listeners) stub.talk({ text: 'hold' }, listener, INIT);
    await waitFor(() => a.held.length + b.held.length === 20);
    expect([a.held.length, b.held.length]).toEqual([10, 10]);
    for (const stream of a.held) stream.end();
    await waitFor(() => listeners.filter(({ ends }) => ends > 0).length === 10);
    const before = b.calls;
    expect(await names(stub, 5)).toBe('a');
    expect(b.calls).toBe(before);
  });

  it('give calls of one affinity to one of them, and their share to each', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const stub = open(`${a.address},${b.address}`);
    await waitForNames(stub, 'ab');
    const nameFor = async (affinity: string) => [
      (await callMultiplexed(stub.talk, { text: '' }, { ...INIT, affinity })).text,
      (await stub.say({ text: '' }, { ...INIT, affinity })).text,
    ];
    const names = await Promise.all(Array.from({ length: 40 }, async (_, n) => [await nameFor(`turn ${n}`), await nameFor(`turn ${n}`)]));
    expect(names.every((of) => new Set(of.flat()).size === 1)).toBe(true);
    const ofA = names.filter((of) => of[0]?.[0] === 'a').length;
    expect(ofA).toBeGreaterThan(5);
    expect(ofA).toBeLessThan(35);
  });

  it('lose only the calls on a target that breaks, and use it again when it is back', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const stub = open(`${a.address},${b.address}`);
    await waitForNames(stub, 'ab');
    const listeners = Array.from({ length: 4 }, () => new RecordingObserver());
    for (const listener of listeners) stub.talk({ text: 'hold' }, listener, INIT);
    await waitFor(() => a.held.length === 2 && b.held.length === 2);

    await a.endpoint.close();
    await waitFor(() => listeners.filter(({ ends }) => ends > 0).length === 2);
    const broken = await Promise.all(listeners.filter(({ ends }) => ends > 0).map(({ over }) => over));
    expect(broken.map((error) => error?.condition)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    // No further call goes to the broken target.
    expect(await names(stub, 50)).toBe('b');

    await replica('c', `127.0.0.1:${Number(a.port)}`);
    // It has no calls in progress, so it gets the next one.
    await waitForNames(stub, 'c');
    for (const stream of b.held) stream.end({ text: 'kept' });
    await Promise.all(listeners.map(({ over }) => over));
    expect(listeners.flatMap(({ received }) => received)).toEqual(['kept', 'kept']);
  });

  it('lose no call when one of them drains', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const stub = open(`${a.address},${b.address}`);
    await waitForNames(stub, 'ab');
    const listener = new RecordingObserver();
    stub.talk({ text: 'hold' }, listener, INIT);
    await waitFor(() => a.held.length + b.held.length === 1);
    const [leaving, staying] = a.held.length > 0 ? [a, b] : [b, a];
    const drained = leaving.endpoint.drain();
    expect(await names(stub, 50)).toBe(staying.name);
    leaving.held[0]?.end({ text: 'finished' });
    await drained;
    await listener.over;
    expect(listener.received).toEqual(['finished']);
  });

  it('lose no call when one drains while the other has just started', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const stub = open(`${a.address},${b.address}`);
    await waitForNames(stub, 'ab');
    await b.endpoint.close();
    await waitForNames(stub, 'a');
    const hold = new RecordingObserver();
    stub.talk({ text: 'hold' }, hold, INIT);
    await waitFor(() => a.held.length === 1);
    const drained = a.endpoint.drain();
    const refused = Promise.all([name(stub), stub.say({ text: '' }, INIT)]);
    await replica('c', `127.0.0.1:${Number(b.port)}`);
    await expect(refused).resolves.toEqual(['c', { text: 'c' }]);
    a.held[0]?.end();
    await drained;
  });

  it('lose no repeatable call when one is late', async () => {
    const late = () => new Promise<Text>(() => undefined);
    const a = await openEcho('127.0.0.1:0', { say: late, talk: () => undefined });
    cleanups.push(() => a.close());
    const b = await replica('b');
    const stub = open(`${a.endpoint.address as string},${b.address}`);
    const init = { ...INIT, deadlineMs: 2_000, repeatable: true };
    const talk = (repeatable: boolean) => callMultiplexed(stub.talk, { text: '' }, { ...init, repeatable });
    const four = <T>(call: () => Promise<T>) => Array.from({ length: 4 }, call);
    const answers = await Promise.all([...four(() => talk(true)), ...four(() => stub.say({ text: '' }, init))]);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['b']));
    await expect(Promise.all(four(() => talk(false)))).rejects.toMatchObject({ condition: 'TIMEOUT' });
  });

  it('do not repeat a call that has started', async () => {
    const stopping = {
      talk: (_request: Text, stream: ServerStream<Text>) => {
        stream.write({ text: 'begun' }, 1);
        stream.fail(new GatewayError('SHUTTING_DOWN', 'stopped'));
      },
    };
    const [one, other] = [await openEcho('127.0.0.1:0', stopping), await openEcho('127.0.0.1:0', stopping)];
    cleanups.push(
      () => one.close(),
      () => other.close(),
    );
    const stub = open(`${one.endpoint.address as string},${other.endpoint.address as string}`);
    const listener = new RecordingObserver();
    stub.talk({ text: '' }, listener, INIT);
    await expect(listener.over).resolves.toMatchObject({ condition: 'SHUTTING_DOWN' });
    expect(listener).toMatchObject({ received: ['begun'], ends: 1 });
  });

  it('keep pause and cancel of a call that moves to the second target', async () => {
    const a = await replica('a');
    let cancelled = 0;
    const b = await openEcho('127.0.0.1:0', {
      say: async () => ({ text: 'b' }),
      talk: (_request, stream) => {
        stream.onCancel = () => void cancelled++;
        stream.write({ text: 'early' }, 1);
      },
    });
    cleanups.push(() => b.close());
    const stub = open(`${a.address},${b.endpoint.address as string}`);
    await waitFor(async () => (await stub.say({ text: '' }, INIT)).text === 'b');
    await a.endpoint.drain();
    const listeners = [new RecordingObserver(), new RecordingObserver()];
    const calls = listeners.map((listener) => stub.talk({ text: '' }, listener, INIT));
    for (const call of calls) call.pause();
    calls[0]?.resume();
    await waitFor(() => listeners[0]?.received.length === 1);
    expect(listeners[1]?.received).toEqual([]);
    for (const call of calls) call.cancel();
    await waitFor(() => cancelled === 2);
  });

  it('are unavailable when none of them answers', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const stub = open(`${a.address},${b.address}`);
    await waitForNames(stub, 'ab');
    await Promise.all([a.endpoint.close(), b.endpoint.close()]);
    await expect(name(stub)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await replica('c', `127.0.0.1:${Number(b.port)}`);
    await waitForNames(stub, 'c');
  });

  describe('behind one name', () => {
    /** Two replicas on one port of two hosts, and a name service that the test controls. */
    async function named(lookupMs: number, hosts = ['127.0.0.1', '127.0.0.2']) {
      const a = await replica('a');
      const b = await replica('b', `127.0.0.2:${Number(a.port)}`);
      const names = { hosts, asked: 0, isDown: false };
      const lookup = async (host: string) => {
        names.asked++;
        if (names.isDown || host !== 'echo.test') throw new Error('no such name');
        return names.hosts;
      };
      return { a, b, names, stub: open(`dns:///echo.test:${a.port}`, { lookup, lookupMs }) };
    }

    it('are all used, and followed when they change, while calls in progress continue', async () => {
      const { a, b, names: service, stub } = await named(10);
      await waitForNames(stub, 'ab');
      const listeners = [new RecordingObserver(), new RecordingObserver()];
      for (const listener of listeners) stub.talk({ text: 'hold' }, listener, INIT);
      await waitFor(() => a.held.length === 1 && b.held.length === 1);
      service.hosts = ['127.0.0.1'];
      await waitForNames(stub, 'a');
      b.held[0]?.end({ text: 'to the end' });
      await waitFor(() => listeners.some(({ received }) => received[0] === 'to the end'));
      service.hosts = ['127.0.0.2'];
      await waitForNames(stub, 'b');
    });

    it('stay known while the name service is down', async () => {
      const { names: service, stub } = await named(10);
      await waitForNames(stub, 'ab');
      service.isDown = true;
      const { asked } = service;
      await waitFor(() => service.asked > asked + 3);
      expect(await names(stub)).toBe('ab');
    });

    it('are resolved again and again while one shuts down', async () => {
      const { a, names: service, stub } = await named(600_000, ['127.0.0.1']);
      await waitForNames(stub, 'a');
      const hold = new RecordingObserver();
      stub.talk({ text: 'hold' }, hold, INIT);
      await waitFor(() => a.held.length === 1);
      const drained = a.endpoint.drain();
      await expect(name(stub)).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
      const { asked } = service;
      await waitFor(() => service.asked > asked);
      service.hosts = ['127.0.0.2'];
      await waitForNames(stub, 'b');
      a.held[0]?.end({ text: 'to the end' });
      await Promise.all([drained, hold.over]);
      expect(hold.received).toEqual(['to the end']);
    });

    it('are resolved again at once when one breaks', async () => {
      const { a, names: service, stub } = await named(600_000, ['127.0.0.1']);
      await waitForNames(stub, 'a');
      service.hosts = ['127.0.0.2'];
      await a.endpoint.close();
      await waitForNames(stub, 'b');
    });
  });
});
