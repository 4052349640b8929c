import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, credentials, Server, ServerCredentials, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { createServer } from 'node:net';
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts';
import { waitFor } from '../testing/wait-for.ts';
import { connect } from './client.ts';
import { answer, ask, type ServerStream } from './multiplexed-call.ts';
import { type Frame } from './frames.ts';
import { LostCallError } from './status.ts';
import { Echo, type EchoFixture, INIT, openEcho, type Text } from './testing/echo.ts';
import { Listener } from './testing/listener.ts';

const LISTEN = '127.0.0.1:0';
const echo = answer(async ({ text }: Text) => ({ text }));

describe('multiplexed streams over gRPC', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const keep = (fixture: EchoFixture) => {
    cleanups.push(() => fixture.close());
    return fixture;
  };
  const addressOf = ({ endpoint }: EchoFixture) => endpoint.address as string;

  async function proxied(fixture: EchoFixture): Promise<{ proxy: FaultProxy; stub: EchoFixture['stub'] }> {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(addressOf(fixture).split(':')[1]) });
    const stub = connect(Echo, `127.0.0.1:${proxy.port}`);
    cleanups.push(
      () => proxy.close(),
      () => stub.close(),
    );
    return { proxy, stub };
  }

  /** A server of plain gRPC that shows what our client really sends. */
  async function rawServer(): Promise<{
    address: string;
    streams: ServerDuplexStream<Frame, Frame>[];
    frames: Frame[];
    deadlines: unknown[];
  }> {
    const seen = { address: '', streams: [] as ServerDuplexStream<Frame, Frame>[], frames: [] as Frame[], deadlines: [] as unknown[] };
    const server = new Server({ 'grpc.max_receive_message_length': -1 });
    server.addService(Echo, {
      say: (call: ServerUnaryCall<Text, Text>, reply: (error: null, value: Text) => void) => {
        seen.deadlines.push(call.getDeadline());
        reply(null, call.request);
      },
      talk: (stream: ServerDuplexStream<Frame, Frame>) => {
        seen.deadlines.push(stream.getDeadline());
        seen.streams.push(stream);
        stream.on('data', (frame: Frame) => seen.frames.push(frame));
        stream.on('end', () => stream.end());
        stream.on('error', () => undefined);
      },
    });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(LISTEN, ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    cleanups.push(() => server.forceShutdown());
    seen.address = `127.0.0.1:${port}`;
    return seen;
  }

  it('fails what is in flight when the connection breaks, tells the server, and opens a new stream for the next', async () => {
    const outlets: ServerStream<Text>[] = [];
    let cancelled = 0;
    const fixture = keep(
      await openEcho(LISTEN, {
        talk: ({ text }, outlet) => {
          if (text === 'again') return outlet.end({ text });
          outlets.push(outlet);
          outlet.onCancel = () => void cancelled++;
        },
      }),
    );
    const { proxy, stub } = await proxied(fixture);
    const listeners = [new Listener(), new Listener(), new Listener()];
    const exchanges = listeners.map((listener) => stub.talk({ text: '' }, listener, INIT));
    await waitFor(() => outlets.length === 3);
    outlets[0]?.write({ text: 'partial' }, 1);
    await waitFor(() => listeners[0]?.heard.length === 1);
    exchanges[2]?.pause();
    proxy.cut();
    for (const { over } of listeners) {
      const error = await over;
      expect(error).toMatchObject({ condition: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
      // Whoever counts refusals must know that nobody knows what became of the work.
      expect(error).toBeInstanceOf(LostCallError);
    }
    await waitFor(() => cancelled === 3);
    exchanges[0]?.cancel();
    exchanges[2]?.resume();
    proxy.resume();
    await waitFor(() => ask(stub.talk, { text: 'again' }, INIT).catch(() => undefined));
    await fixture.endpoint.drain();
    expect(listeners.map(({ ends }) => ends)).toEqual([1, 1, 1]);
  });

  it('fails unary calls in flight as unavailable when the connection breaks', async () => {
    let called = false;
    const fixture = keep(
      await openEcho(LISTEN, {
        say: (_request, call) =>
          new Promise((resolve) => {
            called = true;
            call.signal.addEventListener('abort', () => resolve({ text: '' }));
          }),
      }),
    );
    const { proxy, stub } = await proxied(fixture);
    const answered = stub.say({ text: '' }, INIT);
    answered.catch(() => undefined);
    await waitFor(() => called);
    proxy.cut();
    await expect(answered).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await fixture.endpoint.drain();
  });

  it('says SERVICE_UNAVAILABLE of a server that is down', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    const port = await waitFor(() => (free.address() as { port: number } | null)?.port);
    await new Promise((resolve) => free.close(resolve));
    const stub = connect(Echo, `127.0.0.1:${port}`);
    cleanups.push(() => stub.close());
    const init = { ...INIT, deadlineMs: 60_000 };
    await expect(ask(stub.talk, { text: '' }, init)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await expect(ask(stub.talk, { text: '' }, init)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await expect(stub.say({ text: '' }, init)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('does not wait for the deadline when a server takes the connection and says nothing', async () => {
    const fixture = keep(await openEcho(LISTEN, { talk: echo, say: async (request) => request }));
    const { proxy, stub } = await proxied(fixture);
    proxy.pause();
    const init = { ...INIT, deadlineMs: 60_000 };
    const calls = [ask(stub.talk, { text: '' }, init), stub.say({ text: '' }, init)];
    for (const call of calls) await expect(call).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    proxy.resume();
    await waitFor(() => ask(stub.talk, { text: 'back' }, INIT).catch(() => undefined));
  });

  it('renews its stream: the old one takes nothing new, ends with its last exchange, and tells the server of a cancel before', async () => {
    const outlets: ServerStream<Text>[] = [];
    let cancelled = 0;
    const fixture = keep(
      await openEcho(
        LISTEN,
        {
          talk: (_request, outlet) => {
            outlets.push(outlet);
            outlet.onCancel = () => void cancelled++;
          },
        },
        { streamLifeMs: 1 },
      ),
    );
    const [first, second, third] = [new Listener(), new Listener(), new Listener()];
    fixture.stub.talk({ text: '' }, first, INIT);
    await waitFor(() => outlets.length === 1);
    const exchange = fixture.stub.talk({ text: '' }, second, INIT);
    await waitFor(() => outlets.length === 2);
    fixture.stub.talk({ text: '' }, third, INIT);
    await waitFor(() => outlets.length === 3);
    exchange.cancel();
    await waitFor(() => cancelled === 1);
    outlets[0]?.write({ text: 'still' }, 1);
    outlets[0]?.end({ text: 'here' });
    outlets[2]?.end({ text: 'new' });
    await Promise.all([first.over, third.over]);
    expect([first.heard, second, third.heard]).toMatchObject([['still', 'here'], { ends: 0 }, ['new']]);
    await fixture.endpoint.drain();
  });

  it('breaks retired streams too when the connection is closed', async () => {
    const outlets: ServerStream<Text>[] = [];
    const fixture = keep(await openEcho(LISTEN, { talk: (_request, outlet) => void outlets.push(outlet) }, { streamLifeMs: 1 }));
    const listeners = [new Listener(), new Listener()];
    for (const [index, listener] of listeners.entries()) {
      fixture.stub.talk({ text: '' }, listener, INIT);
      await waitFor(() => outlets.length === index + 1);
    }
    fixture.stub.close();
    for (const { over } of listeners) await expect(over).resolves.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('uses one stream for many exchanges, and gives every gRPC call a deadline', async () => {
    const raw = await rawServer();
    const stub = connect(Echo, raw.address);
    cleanups.push(() => stub.close());
    for (let n = 0; n < 3; n++) stub.talk({ text: String(n) }, new Listener(), INIT);
    await stub.say({ text: '' }, { caller: INIT.caller });
    await waitFor(() => raw.frames.length > 0);
    expect(raw.streams).toHaveLength(1);
    expect(raw.frames.flatMap(({ envelopes }) => envelopes.map(({ exchange }) => exchange))).toEqual([1, 2, 3]);
    expect(raw.deadlines).toHaveLength(2);
    for (const deadline of raw.deadlines) expect(Number.isFinite(Number(deadline))).toBe(true);
  });

  it('splits what is ready together into frames of 256 KiB, and sends what is heavier alone', async () => {
    const raw = await rawServer();
    const stub = connect(Echo, raw.address);
    cleanups.push(() => stub.close());
    const sizes = [100, 100, 100, 1_000, 1, 1].map((kib) => kib * 1024);
    for (const size of sizes) stub.talk({ text: 'x'.repeat(size) }, new Listener(), { ...INIT, weight: size });
    await waitFor(() => raw.frames.flatMap(({ envelopes }) => envelopes).length === sizes.length);
    expect(raw.frames.map(({ envelopes }) => envelopes.length)).toEqual([2, 1, 1, 2]);
  });

  it('offers the standard health service, which says when it drains', async () => {
    const fixture = keep(await openEcho(LISTEN, {}));
    const client = new Client(addressOf(fixture), credentials.createInsecure());
    cleanups.push(() => client.close());
    const check = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const bytes = (value: Buffer) => value;
        const done = (error: Error | null, value?: Buffer) => (error ? reject(error) : resolve(value?.[1]));
        client.makeUnaryRequest(
          '/grpc.health.v1.Health/Check',
          bytes,
          bytes,
          Buffer.alloc(0),
          { deadline: Date.now() + 5_000 } as never,
          done,
        );
      });
    await expect(check()).resolves.toBe(1);
    await fixture.endpoint.drain();
    await expect(check()).resolves.toBe(2);
  });
});
