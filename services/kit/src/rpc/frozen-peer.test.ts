import { afterEach, describe, expect, it } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts';
import { waitFor } from '../testing/wait-for.ts';
import { connect, type ConnectOptions } from './client.ts';
import { PEER_LOSS_DETECTION_MS } from './keep-alive.ts';
import { callMultiplexed, type ServerStream } from './multiplexed-call.ts';
import { Echo, type EchoFixture, INIT, openEcho, type Text } from './testing/echo.ts';
import { RecordingObserver } from './testing/recording-observer.ts';

/** A replica behind a proxy that can freeze it: it returns its name, and keeps calls with the text `hold` open. */
interface Replica {
  name: string;
  proxy: FaultProxy;
  held: ServerStream<Text>[];
  cancelled: number;
  fixture: EchoFixture;
}

/** What a busy machine may add to a time. */
const SLOW_MS = 5_000;

describe('a frozen peer', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function replica(name: string): Promise<Replica> {
    const facts = { name, held: [] as ServerStream<Text>[], cancelled: 0 };
    const fixture = await openEcho('127.0.0.1:0', {
      say: async () => ({ text: name }),
      talk: ({ text }, stream) => {
        stream.onCancel = () => void facts.cancelled++;
        if (text === 'hold') facts.held.push(stream);
        else stream.end({ text: name });
      },
    });
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number((fixture.endpoint.address as string).split(':')[1]) });
    cleanups.push(
      () => fixture.close(),
      () => proxy.close(),
    );
    return Object.assign(facts, { fixture, proxy });
  }

  /** Two replicas, a connection to both, and a call that is held by one of them, which is then frozen. */
  async function frozen(options: ConnectOptions = {}) {
    const replicas = [await replica('a'), await replica('b')] as const;
    const stub = connect(Echo, replicas.map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(), options);
    cleanups.push(() => stub.close());
    const ask = async () => (await callMultiplexed(stub.talk, { text: '' }, INIT)).text;
    await waitFor(async () => new Set([await ask(), await ask(), await ask()]).size === 2);
    const stream = new RecordingObserver();
    stub.talk({ text: 'hold' }, stream, { ...INIT, deadlineMs: 600_000 });
    await waitFor(() => replicas.some(({ held }) => held.length > 0));
    const [peer, other] = replicas[0].held.length > 0 ? replicas : [replicas[1], replicas[0]];
    /** A key whose calls go to the frozen one. */
    let affinity = 0;
    while ((await callMultiplexed(stub.talk, { text: '' }, { ...INIT, affinity: `${affinity}` })).text !== peer.name) affinity++;
    peer.proxy.pause();
    return { peer, other, stub, stream, affinity: `${affinity}` };
  }

  it('is noticed by keep-alive, long before the deadline of its calls', async () => {
    const { stream } = await frozen();
    const began = performance.now();
    await expect(stream.over).resolves.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(PEER_LOSS_DETECTION_MS + SLOW_MS);
  });

  it('loses repeatable calls to the other, also those whose deadline is shorter than it takes to notice', async () => {
    const { other, stub, stream, affinity } = await frozen();
    const init = { ...INIT, affinity, deadlineMs: 1_000 };
    const repeated = callMultiplexed(stub.talk, { text: '' }, { ...init, repeatable: true });
    const read = stub.say({ text: '' }, { ...init, repeatable: true });
    const lost = callMultiplexed(stub.talk, { text: '' }, { ...INIT, affinity, deadlineMs: 600_000 });
    lost.catch(() => undefined);
    await expect(Promise.all([repeated, read])).resolves.toEqual([{ text: other.name }, { text: other.name }]);
    await expect(lost).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await stream.over;
    // From now on it gets nothing.
    for (let n = 0; n < 20; n++) await expect(callMultiplexed(stub.talk, { text: '' }, init)).resolves.toEqual({ text: other.name });
  });

  it('is waited for where there is no other', async () => {
    const only = await replica('only');
    const stub = connect(Echo, `127.0.0.1:${only.proxy.port}`);
    cleanups.push(() => stub.close());
    const patient = new RecordingObserver();
    stub.talk({ text: 'hold' }, patient, { ...INIT, deadlineMs: 600_000 });
    await waitFor(() => only.held.length === 1);
    only.proxy.pause();
    // For as long as it takes to notice that one of several is frozen.
    const { stream } = await frozen();
    await stream.over;
    expect(patient.ends).toBe(0);
    only.proxy.resume();
    only.held[0]?.end({ text: 'late' });
    await patient.over;
    expect(patient.received).toEqual(['late']);
  });

  it('is used again when it goes on', async () => {
    const { peer, stub, stream, affinity } = await frozen();
    await stream.over;
    peer.proxy.resume();
    await waitFor(async () => (await callMultiplexed(stub.talk, { text: '' }, { ...INIT, affinity })).text === peer.name);
  });

  it('finds its calls cancelled when it was cut off', async () => {
    const { peer, stream } = await frozen();
    await stream.over;
    await waitFor(() => peer.cancelled === 1);
  });
});
