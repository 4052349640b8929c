import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseBrokerUrl } from '@parley/kit/bus/broker-url';
import { type Bus, BusUnavailableError, connectBus } from '@parley/kit/bus/bus';
import { createLogger } from '@parley/kit/log/logger';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { type RecordedSpan, SpanKind } from '@parley/kit/telemetry/span';
import { setTracer, Tracer } from '@parley/kit/telemetry/tracer';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EventBatch } from '@parley/protos/events/v1/events';
import { type NatsConnection, connect } from 'nats';
import { randomUUID } from 'node:crypto';

const broker = new URL(process.env.NATS_URL ?? '');
const log = createLogger({ service: 'test', level: 'silent' });
const bytes = (text: string) => Buffer.from(text);
const text = (data: Uint8Array) => Buffer.from(data).toString();

/** The broker as seen through the proxy. */
function through({ port }: FaultProxy): string {
  const url = new URL(broker);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

describe('bus', () => {
  const id = () => randomUUID().replaceAll('-', '');
  let admin: NatsConnection;
  let proxy: FaultProxy;
  let bus: Bus;
  let stream: string;
  let subject: string;

  beforeEach(async () => {
    stream = `T${id()}`;
    subject = `test.${id()}`;
    admin = await connect(parseBrokerUrl(broker.href));
    proxy = await startFaultProxy({ host: broker.hostname, port: Number(broker.port) });
    bus = connectBus({ url: through(proxy), name: 'test', log });
  });
  afterEach(async () => {
    await bus.drain();
    const manager = await admin.jetstreamManager();
    await manager.streams.delete(stream).catch(() => undefined);
    await admin.close();
    await proxy.close();
  });

  async function declared(): Promise<void> {
    bus.declareStream({ name: stream, subjects: [`${subject}.*`], maxBytes: 1_000_000 });
    const manager = await admin.jetstreamManager();
    await waitFor(() => manager.streams.info(stream));
  }

  /** Consumes into a list; `fail` makes the handler throw. */
  function collect(durable = 'd', fail: (received: string[]) => boolean = () => false) {
    const received: string[] = [];
    const consuming = bus.consume({
      stream,
      durable,
      filterSubject: `${subject}.*`,
      retryMs: 10,
      handler: (data, { subject: on, redelivered }) => {
        received.push(`${on.split('.').at(-1)}:${text(data)}${redelivered ? ':again' : ''}`);
        if (fail(received)) throw new Error('not yet');
      },
    });
    return { received, consuming };
  }

  it('rejects publishes at once while the broker is down, and connects when it starts', async () => {
    proxy.cut();
    await waitFor(() => !bus.connected);
    await expect(bus.publish(`${subject}.a`, bytes('x'))).rejects.toBeInstanceOf(BusUnavailableError);
    bus.notify(`${subject}.a`, bytes('x'));
    proxy.resume();
    await waitFor(() => bus.connected);
  });

  it('declares streams and brings a changed declaration in line', async () => {
    await declared();
    const manager = await admin.jetstreamManager();
    bus.declareStream({ name: stream, subjects: [`${subject}.*`, `${subject}.more.*`], maxBytes: 2_000_000 });
    await waitFor(async () => (await manager.streams.info(stream)).config.max_bytes === 2_000_000);
  });

  it('delivers what was published before the consumer came, each once', async () => {
    await declared();
    await bus.publish(`${subject}.a`, bytes('1'), { msgId: 'one' });
    await bus.publish(`${subject}.a`, bytes('1'), { msgId: 'one' });
    await bus.publish(`${subject}.b`, bytes('2'));
    const { received } = collect();
    await waitFor(() => received.length === 2);
    expect(received).toEqual(['a:1', 'b:2']);
  });

  it('delivers again what a handler failed on', async () => {
    await declared();
    const { received } = collect('d', (all) => all.length < 3);
    await bus.publish(`${subject}.a`, bytes('1'));
    await waitFor(() => received.length === 3);
    expect(received).toEqual(['a:1', 'a:1:again', 'a:1:again']);
  });

  it('keeps to maxInFlight, and waits for its handlers when it stops', async () => {
    await declared();
    let active = 0;
    let most = 0;
    let done = 0;
    const gates: (() => void)[] = [];
    const consuming = bus.consume({
      stream,
      durable: 'd',
      filterSubject: `${subject}.*`,
      maxInFlight: 3,
      handler: async () => {
        most = Math.max(most, ++active);
        await new Promise<void>((resolve) => gates.push(resolve));
        active--;
        done++;
      },
    });
    for (let n = 0; n < 10; n++) await bus.publish(`${subject}.a`, bytes(String(n)));
    await waitFor(() => active === 3);
    const stopped = consuming.stop();
    for (const open of gates.splice(0)) open();
    await stopped;
    expect(most).toBe(3);
    expect(active).toBe(0);
    expect(done).toBe(3);
  });

  it('continues to consume after the connection was lost', async () => {
    await declared();
    const { received } = collect();
    await bus.publish(`${subject}.a`, bytes('1'));
    await waitFor(() => received.length === 1);
    proxy.cut();
    await waitFor(() => !bus.connected);
    await admin.jetstream().publish(`${subject}.a`, bytes('2'));
    proxy.resume();
    await waitFor(() => received.includes('a:2'));
  });

  it('declares stream and consumer again when the broker came back without them', async () => {
    await declared();
    const { received } = collect();
    await bus.publish(`${subject}.a`, bytes('1'));
    await waitFor(() => received.length === 1);
    proxy.cut();
    await (await admin.jetstreamManager()).streams.delete(stream);
    proxy.resume();
    await waitFor(() => bus.publish(`${subject}.a`, bytes('2')).then(() => true));
    await waitFor(() => received.includes('a:2'));
  });

  it('recovers from deletion of its stream and consumer', async () => {
    await declared();
    const { received } = collect();
    await bus.publish(`${subject}.a`, bytes('1'));
    await waitFor(() => received.length === 1);
    await (await admin.jetstreamManager()).streams.delete(stream);
    await waitFor(() => bus.publish(`${subject}.a`, bytes('2')).then(() => true));
    await waitFor(() => received.includes('a:2'));
  });

  it('fails publishes without acknowledgement when the connection is lost', async () => {
    await declared();
    proxy.pause();
    const waiting = bus.publish(`${subject}.a`, bytes('1'), { timeoutMs: 60_000 });
    proxy.cut();
    await expect(waiting).rejects.toBeInstanceOf(BusUnavailableError);
    proxy.resume();
  });

  it('reports whether it is connected until it is drained', async () => {
    enableMetrics('test');
    const counted = connectBus({ url: through(proxy), name: 'counted-1', service: 'counted', log });
    const value = async () => /^parley_broker_connected\{service="counted"\} (\d)$/m.exec((await readMetrics()).text)?.[1];
    await waitFor(() => counted.connected);
    expect(await value()).toBe('1');
    proxy.cut();
    await waitFor(() => !counted.connected);
    expect(await value()).toBe('0');
    proxy.resume();
    await counted.drain();
    expect(await value()).toBeUndefined();
  });

  it('reports what a consumer has not acknowledged until it stops, and counts what is delivered again', async () => {
    enableMetrics('test');
    await declared();
    const value = async (name: string) =>
      new RegExp(`^parley_consumer_${name}\\{consumer="counted"\\} (\\d+)$`, 'm').exec((await readMetrics()).text)?.[1];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let delivered = 0;
    const consuming = bus.consume({
      ...{ stream, durable: 'counted', filterSubject: `${subject}.*`, retryMs: 10, maxInFlight: 2 },
      handler: async () => {
        const delivery = ++delivered;
        await held;
        if (delivery <= 2) throw new Error('not yet');
      },
    });
    for (const message of ['1', '2', '3']) await bus.publish(`${subject}.a`, bytes(message));
    await waitFor(() => delivered === 2);
    expect(await value('pending')).toBe('3');
    release();
    await waitFor(() => delivered === 5);
    expect(await value('redelivered_total')).toBe('2');
    await consuming.stop();
    expect(await value('pending')).toBeUndefined();
  });

  describe('traces', () => {
    const [A, B] = ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203332-00'];
    const batch = (traces: readonly (string | undefined)[]) =>
      EventBatch.encode({ events: traces.map((traceparent, n) => ({ id: String(n), traceparent })) }).finish();
    let spans: RecordedSpan[];
    let seen: string[];
    beforeEach(() => {
      [spans, seen] = [[], []];
      setTracer(new Tracer({ ratio: 0, slowMs: 60_000 }, (span) => spans.push(span)));
    });
    afterEach(() => setTracer(undefined));

    const follow = () =>
      bus.consume({
        ...{ stream, durable: 'traced', filterSubject: `${subject}.*` },
        handler: (_data, { traceparent }) => void seen.push(traceparent),
      });

    it('sends the trace of a message in its headers', async () => {
      await declared();
      await bus.publish(`${subject}.a`, batch([A]), { traceparent: A });
      const manager = await admin.jetstreamManager();
      expect((await manager.streams.getMessage(stream, { seq: 1 })).header.get('traceparent')).toBe(A);
    });

    it('handles a message in a span that links to the sampled traces of its events, and passes the span on', async () => {
      await declared();
      follow();
      await bus.publish(`${subject}.a`, batch([A, B, undefined, A]));
      await waitFor(() => spans.length === 1);
      const [span] = spans;
      expect(span).toMatchObject({ name: 'process traced', kind: SpanKind.CONSUMER, parentSpanId: undefined });
      expect(span?.links.map(({ context }) => context.traceId)).toEqual([A?.slice(3, 35)]);
      expect(seen).toEqual([`00-${span?.traceId}-${span?.spanId}-01`]);
    });

    it('makes no span for a message without a sampled trace', async () => {
      await declared();
      follow();
      await bus.publish(`${subject}.a`, batch([B, undefined]));
      await waitFor(() => seen.length === 1);
      expect([seen, spans]).toEqual([[''], []]);
    });
  });

  it('delivers notices across reconnects and not after unsubscribing', async () => {
    const received: string[] = [];
    let connects = 0;
    bus.onConnected(() => connects++);
    const off = bus.onNotice(`${subject}.*`, (data, on) => {
      received.push(`${on.slice(subject.length + 1)}:${text(data)}`);
      throw new Error('logged, not fatal');
    });
    const send = (value: string) => waitFor(() => (admin.publish(`${subject}.n`, bytes(value)), received.includes(`n:${value}`)));
    await send('1');
    proxy.cut();
    await waitFor(() => !bus.connected);
    proxy.resume();
    await send('2');
    expect(connects).toBe(2);
    off();
    const count = received.length;
    await admin.flush();
    admin.publish(`${subject}.n`, bytes('3'));
    await admin.flush();
    expect(received.length).toBeLessThanOrEqual(count + 1);
    expect(received).not.toContain('n:3');
  });
});
