import { Client, credentials, Server, ServerCredentials, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts';
import { waitFor } from '../testing/wait-for.ts';
import { connect } from './client.ts';
import { type Frame } from './frames.ts';
import { LostCallError } from './grpc-status.ts';
import { toMultiplexedHandler, callMultiplexed, type ServerStream } from './multiplexed-call.ts';
import { Echo, type EchoFixture, INIT, openEcho, type Text } from './testing/echo.ts';
import { RecordingObserver } from './testing/recording-observer.ts';

const LISTEN = '127.0.0.1:0';
const echo = toMultiplexedHandler(async ({ text }: Text) => ({ text }));

describe('multiplexed streams over gRPC', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const keep = (fixture: EchoFixture) => {
    cleanups.push(() => fixture.close());
    return fixture;
  };
  const getAddress = ({ endpoint }: EchoFixture) => endpoint.address as string;

  async function proxied(fixture: EchoFixture): Promise<{ proxy: FaultProxy; stub: EchoFixture['stub'] }> {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(getAddress(fixture).split(':')[1]) });
    const stub = connect(Echo, `127.0.0.1:${proxy.port}`);
    cleanups.push(
      () => proxy.close(),
      () => stub.close(),
    );
    return { proxy, stub };
  }

  /** A plain gRPC server that records what the client sends. */
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

  it('fails calls in flight when the connection breaks, cancels them on the server, and opens a new stream for the next', async () => {
    const streams: ServerStream<Text>[] = [];
    let cancelled = 0;
    const fixture = keep(
      await openEcho(LISTEN, {
        talk: ({ text }, stream) => {
          if (text === 'again') return stream.end({ text });
          streams.push(stream);
          stream.onCancel = () => void cancelled++;
        },
      }),
    );
    const { proxy, stub } = await proxied(fixture);
    const listeners = [new RecordingObserver(), new RecordingObserver(), new RecordingObserver()];
    const calls = listeners.map((listener) => stub.talk({ text: '' }, listener, INIT));
    await waitFor(() => streams.length === 3);
    streams[0]?.write({ text: 'partial' }, 1);
    await waitFor(() => listeners[0]?.received.length === 1);
    calls[2]?.pause();
    proxy.cut();
    for (const { over } of listeners) {
      const error = await over;
      expect(error).toMatchObject({ condition: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
      // The outcome of the work is unknown.
      expect(error).toBeInstanceOf(LostCallError);
    }
    await waitFor(() => cancelled === 3);
    calls[0]?.cancel();
    calls[2]?.resume();
    proxy.resume();
    await waitFor(() => callMultiplexed(stub.talk, { text: 'again' }, INIT).catch(() => undefined));
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

  it('fails with SERVICE_UNAVAILABLE when the server is down', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    const port = await waitFor(() => (free.address() as { port: number } | null)?.port);
    await new Promise((resolve) => free.close(resolve));
    const stub = connect(Echo, `127.0.0.1:${port}`);
    cleanups.push(() => stub.close());
    const init = { ...INIT, deadlineMs: 60_000 };
    await expect(callMultiplexed(stub.talk, { text: '' }, init)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await expect(callMultiplexed(stub.talk, { text: '' }, init)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await expect(stub.say({ text: '' }, init)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('does not wait for the deadline when a server accepts the connection and stays silent', async () => {
    const fixture = keep(await openEcho(LISTEN, { talk: echo, say: async (request) => request }));
    const { proxy, stub } = await proxied(fixture);
    proxy.pause();
    const init = { ...INIT, deadlineMs: 60_000 };
    const calls = [callMultiplexed(stub.talk, { text: '' }, init), stub.say({ text: '' }, init)];
    for (const call of calls) await expect(call).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    proxy.resume();
    await waitFor(() => callMultiplexed(stub.talk, { text: 'back' }, INIT).catch(() => undefined));
  });

  it('renews its stream: the old one takes no new call, ends with its last call, and still carries a cancel', async () => {
    const streams: ServerStream<Text>[] = [];
    let cancelled = 0;
    const fixture = keep(
      await openEcho(
        LISTEN,
        {
          talk: (_request, stream) => {
            streams.push(stream);
            stream.onCancel = () => void cancelled++;
          },
        },
        { streamLifeMs: 1 },
      ),
    );
    const [first, second, third] = [new RecordingObserver(), new RecordingObserver(), new RecordingObserver()];
    fixture.stub.talk({ text: '' }, first, INIT);
    await waitFor(() => streams.length === 1);
    const call = fixture.stub.talk({ text: '' }, second, INIT);
    await waitFor(() => streams.length === 2);
    fixture.stub.talk({ text: '' }, third, INIT);
    await waitFor(() => streams.length === 3);
    call.cancel();
    await waitFor(() => cancelled === 1);
    streams[0]?.write({ text: 'still' }, 1);
    streams[0]?.end({ text: 'here' });
    streams[2]?.end({ text: 'new' });
    await Promise.all([first.over, third.over]);
    expect([first.received, second, third.received]).toMatchObject([['still', 'here'], { ends: 0 }, ['new']]);
    await fixture.endpoint.drain();
  });

  it('breaks retired streams too when the connection is closed', async () => {
    const streams: ServerStream<Text>[] = [];
    const fixture = keep(await openEcho(LISTEN, { talk: (_request, stream) => void streams.push(stream) }, { streamLifeMs: 1 }));
    const listeners = [new RecordingObserver(), new RecordingObserver()];
    for (const [index, listener] of listeners.entries()) {
      fixture.stub.talk({ text: '' }, listener, INIT);
      await waitFor(() => streams.length === index + 1);
    }
    fixture.stub.close();
    for (const { over } of listeners) await expect(over).resolves.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('uses one stream for many calls, and gives every gRPC call a deadline', async () => {
    const raw = await rawServer();
    const stub = connect(Echo, raw.address);
    cleanups.push(() => stub.close());
    for (let n = 0; n < 3; n++) stub.talk({ text: String(n) }, new RecordingObserver(), INIT);
    await stub.say({ text: '' }, { caller: INIT.caller });
    await waitFor(() => raw.frames.length > 0);
    expect(raw.streams).toHaveLength(1);
    expect(raw.frames.flatMap(({ envelopes }) => envelopes.map(({ exchange }) => exchange))).toEqual([1, 2, 3]);
    expect(raw.deadlines).toHaveLength(2);
    for (const deadline of raw.deadlines) expect(Number.isFinite(Number(deadline))).toBe(true);
  });

  it('splits messages into frames of 256 KiB, and sends a larger one alone', async () => {
    const raw = await rawServer();
    const stub = connect(Echo, raw.address);
    cleanups.push(() => stub.close());
    const sizes = [100, 100, 100, 1_000, 1, 1].map((kib) => kib * 1024);
    for (const size of sizes) stub.talk({ text: 'x'.repeat(size) }, new RecordingObserver(), { ...INIT, weight: size });
    await waitFor(() => raw.frames.flatMap(({ envelopes }) => envelopes).length === sizes.length);
    expect(raw.frames.map(({ envelopes }) => envelopes.length)).toEqual([2, 1, 1, 2]);
  });

  it('serves the standard health service, which reports draining', async () => {
    const fixture = keep(await openEcho(LISTEN, {}));
    const client = new Client(getAddress(fixture), credentials.createInsecure());
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
