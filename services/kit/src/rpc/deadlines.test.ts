import {
  type CallOptions,
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServiceError,
} from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../testing/wait-for.ts';
import { type CallInit } from './call.ts';
import { connect } from './client.ts';
import { type Envelope, type Frame } from './frames.ts';
import { HEALTH_CHECK_TIMING } from './keep-alive.ts';
import { Echo, type EchoFixture, INIT, openEcho, type Text } from './testing/echo.ts';
import { RecordingObserver } from './testing/recording-observer.ts';

const HEALTH = '/grpc.health.v1.Health/Check';
const Health = { check: { ...Echo.say, path: HEALTH } } as const;
const MINUTE = 60_000;

/** A plain gRPC server that answers nothing and records the deadline of each call, in milliseconds from now. */
async function startWitness() {
  const deadlines = new Map<string, number>();
  const envelopes: Envelope[] = [];
  const server = new Server({
    interceptors: [
      ({ path }, call) =>
        new ServerInterceptingCall(call, {
          start: (next) => {
            deadlines.set(path, Number(call.getDeadline()) - Date.now());
            next({ onReceiveMessage: (message: Frame, pass) => (envelopes.push(...(message.envelopes ?? [])), pass(message)) });
          },
        }),
    ],
  });
  const silent = (call: { on(event: 'error', listener: () => void): void; resume?(): void }) => {
    call.on('error', () => undefined);
    call.resume?.();
  };
  server.addService(Echo, { say: silent, count: silent, collect: silent, talk: silent });
  server.addService(Health, { check: silent });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return { address: `127.0.0.1:${port}`, deadlines, envelopes, close: () => server.forceShutdown() };
}

describe('deadlines', () => {
  let witness: Awaited<ReturnType<typeof startWitness>>;
  const cleanups: (() => unknown)[] = [];
  beforeEach(async () => (witness = await startWitness()));
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    witness.close();
  });

  /** Makes a call of every kind; none of them is answered. */
  function callAll(address: string, init: CallInit): void {
    const [stub, health] = [connect(Echo, address), connect(Health, address)];
    cleanups.push(
      () => stub.close(),
      () => health.close(),
    );
    const texts = async function* (): AsyncGenerator<Text> {
      yield { text: '' };
    };
    stub.say({ text: '' }, init).catch(() => undefined);
    stub.collect(texts(), init).catch(() => undefined);
    health.check({ text: '' }, init).catch(() => undefined);
    void stub
      .count({ text: '' }, init)
      [Symbol.asyncIterator]()
      .next()
      .catch(() => undefined);
    stub.talk({ text: '' }, new RecordingObserver(), init);
  }

  const paths = [...Object.values(Echo).map(({ path }) => path), HEALTH];

  it.each<[string, CallInit, number]>([
    ['that its caller sets', { ...INIT, deadlineMs: 30_000 }, 30_000],
    ['by default', { caller: INIT.caller }, 5_000],
    ['when its caller sets none', { ...INIT, deadlineMs: Number.POSITIVE_INFINITY }, 0x7fff_ffff],
  ])('every call has one %s, of every kind', async (_how, init, mostMs) => {
    // On a busy machine the deadline of some may pass before they arrive.
    await waitFor(() => {
      callAll(witness.address, init);
      return witness.deadlines.size === paths.length && witness.envelopes.length > 0;
    });
    for (const path of paths) {
      const isStreamOfMany = path === Echo.talk.path;
      expect({ path, isBounded: (witness.deadlines.get(path) ?? Infinity) <= (isStreamOfMany ? 60 * MINUTE : mostMs) }).toEqual({
        path,
        isBounded: true,
      });
    }
    // The stream is long-lived; each of its calls has its own deadline.
    const open = witness.envelopes[0]?.control?.signal;
    expect(open).toMatchObject({ $case: 'open', value: { deadlineMs: mostMs } });
  });

  it('every call has one on each of several addresses', async () => {
    const other = await startWitness();
    cleanups.push(() => other.close());
    await waitFor(() => {
      callAll(`${witness.address},${other.address}`, { caller: INIT.caller });
      return witness.deadlines.size === paths.length && other.deadlines.size === paths.length;
    });
    for (const leftMs of [...witness.deadlines.values(), ...other.deadlines.values()]) expect(leftMs).toBeLessThanOrEqual(60 * MINUTE);
  });

  it('the question whether one of several peers still answers has one', async () => {
    const other = await startWitness();
    const stub = connect(Echo, `${witness.address},${other.address}`);
    cleanups.push(
      () => other.close(),
      () => stub.close(),
    );
    stub.say({ text: '' }, { caller: INIT.caller }).catch(() => undefined);
    const leftMs = await waitFor(() => witness.deadlines.get(HEALTH) ?? other.deadlines.get(HEALTH));
    expect(leftMs).toBeLessThanOrEqual(HEALTH_CHECK_TIMING.deadlineMs);
  });

  describe('a call without one', () => {
    let fixture: EchoFixture;
    let client: Client;
    let handled = 0;
    beforeEach(async () => {
      handled = 0;
      const count = async function* () {
        handled++;
        yield* [];
      };
      const say = async (text: Text) => (handled++, text);
      fixture = await openEcho('127.0.0.1:0', { say, collect: say as never, count, talk: () => void handled++ });
      client = new Client(fixture.endpoint.address as string, credentials.createInsecure());
      cleanups.push(
        () => fixture.close(),
        () => client.close(),
      );
    });

    const NONE: CallOptions = {};
    const readRefusal = (call: { on(event: 'error', listener: (error: ServiceError) => void): unknown; resume?(): unknown }) =>
      new Promise<string>((resolve) => {
        call.on('error', ({ details }) => resolve(details));
        call.resume?.();
      });
    const metadata = new Metadata();
    const { say, count, collect, talk } = Echo;

    it.each<[string, () => Promise<string>]>([
      [
        'with one response',
        () =>
          new Promise((resolve) =>
            client.makeUnaryRequest(say.path, say.requestSerialize, say.responseDeserialize, { text: '' }, metadata, NONE, (error) =>
              resolve(error?.details ?? ''),
            ),
          ),
      ],
      [
        'with a stream of requests',
        () =>
          new Promise((resolve) =>
            client
              .makeClientStreamRequest(collect.path, collect.requestSerialize, collect.responseDeserialize, metadata, NONE, (error) =>
                resolve(error?.details ?? ''),
              )
              .end(),
          ),
      ],
      [
        'with a stream of responses',
        () =>
          readRefusal(
            client.makeServerStreamRequest(count.path, count.requestSerialize, count.responseDeserialize, { text: '' }, metadata, NONE),
          ),
      ],
      [
        'of a multiplexed method',
        () => readRefusal(client.makeBidiStreamRequest(talk.path, talk.requestSerialize, talk.responseDeserialize, metadata, NONE)),
      ],
    ])('is refused by every service, %s', async (_kind, call) => {
      await expect(call()).resolves.toBe('a call needs a deadline');
      expect(handled).toBe(0);
    });
  });
});
