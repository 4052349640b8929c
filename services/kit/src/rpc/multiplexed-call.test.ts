import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { waitFor } from '../testing/wait-for.ts';
import { type Call } from './call.ts';
import { LostCallError } from './grpc-status.ts';
import { toMultiplexedHandler, callMultiplexed, type MultiplexedHandler, type ServerStream, WINDOW_BYTES } from './multiplexed-call.ts';
import { type EchoFixture, INIT, openEcho, type Text, TRANSPORTS } from './testing/echo.ts';
import { RecordingObserver } from './testing/recording-observer.ts';

type Talk = MultiplexedHandler<Text, Text>;

describe.each(TRANSPORTS)('a multiplexed call over %s', (listen) => {
  let fixture: EchoFixture;
  const open = async (talk: Talk) => (fixture = await openEcho(listen, { talk }));
  afterEach(() => fixture.close());

  /** A handler that does nothing, and what it was given. */
  const idle = () => {
    const seen: { stream?: ServerStream<Text>; call?: Call; cancelled: GatewayError[] } = { cancelled: [] };
    const talk: Talk = (_request, stream, call) => {
      Object.assign(seen, { stream, call });
      stream.onCancel = (reason) => seen.cancelled.push(reason);
    };
    return { seen, talk };
  };
  const given = (seen: { stream?: ServerStream<Text> }) => waitFor(() => seen.stream);

  it('delivers messages in order and the last one with the end', async () => {
    const { stub } = await open(({ text }, stream, { caller, traceparent }) => {
      expect({ caller, traceparent }).toEqual({ caller: INIT.caller, traceparent: INIT.traceparent });
      stream.write({ text: `${text}1` }, 1);
      stream.write({ text: `${text}2` }, 1);
      stream.end({ text: `${text}3` }, 1);
    });
    const listener = new RecordingObserver();
    stub.talk({ text: 'a' }, listener, INIT);
    expect(listener.received).toEqual([]);
    await expect(listener.over).resolves.toBeUndefined();
    expect(listener).toMatchObject({ received: ['a1', 'a2', 'a3'], ends: 1 });
  });

  it('keeps concurrent calls apart', async () => {
    const { stub } = await open(async ({ text }, stream) => {
      for (let n = 0; n < 5; n++) {
        stream.write({ text: `${text}:${n}` }, 4);
        await new Promise((resolve) => setImmediate(resolve));
      }
      stream.end();
    });
    const listeners = Array.from({ length: 200 }, () => new RecordingObserver());
    listeners.forEach((listener, index) => stub.talk({ text: String(index) }, listener, INIT));
    await Promise.all(listeners.map(({ over }) => over));
    listeners.forEach(({ received }, index) => expect(received).toEqual([0, 1, 2, 3, 4].map((n) => `${index}:${n}`)));
  });

  it('supports handlers with one response', async () => {
    const { stub } = await open(toMultiplexedHandler(async ({ text }) => ({ text: `${text}!` })));
    await expect(callMultiplexed(stub.talk, { text: 'hi' }, INIT)).resolves.toEqual({ text: 'hi!' });
  });

  it.each<[string, Talk]>([
    ['fails', (_request, stream) => stream.fail(new GatewayError('CONVERSATION_BUSY', 'busy', { param: 'p', retryAfterMs: 10.2 }))],
    [
      'throws',
      () => {
        throw new GatewayError('CONVERSATION_BUSY', 'busy', { param: 'p', retryAfterMs: 10.2 });
      },
    ],
    ['rejects', async () => Promise.reject(new GatewayError('CONVERSATION_BUSY', 'busy', { param: 'p', retryAfterMs: 10.2 }))],
  ])('carries the coded error of a handler that %s', async (_how, talk) => {
    const { stub, logged } = await open(talk);
    const error = await callMultiplexed(stub.talk, { text: '' }, INIT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ condition: 'CONVERSATION_BUSY', message: 'busy', param: 'p', retryAfterMs: 11 });
    expect(logged).toEqual([]);
  });

  it('writes the message of an unexpected error to the log only', async () => {
    const { stub, logged } = await open(async () => Promise.reject(new Error('secret')));
    await expect(callMultiplexed(stub.talk, { text: '' }, INIT)).rejects.toMatchObject({
      condition: 'INTERNAL_ERROR',
      message: 'internal error',
    });
    expect(logged).toMatchObject([{ method: 'talk', err: { message: 'secret' } }]);
  });

  it('ends once, and logs what a handler throws after the end', async () => {
    const { stub, logged, endpoint } = await open(async (_request, stream) => {
      stream.end({ text: 'end' });
      stream.end({ text: 'again' });
      stream.fail(new GatewayError('CONVERSATION_BUSY', 'busy'));
      stream.write({ text: 'late' }, 1);
      throw new Error('after the end');
    });
    const listener = new RecordingObserver();
    stub.talk({ text: '' }, listener, INIT);
    await listener.over;
    await waitFor(() => logged.length === 1);
    expect(logged).toMatchObject([{ err: { message: 'after the end' } }]);
    await endpoint.drain();
    expect(listener).toMatchObject({ received: ['end'], ends: 1 });
  });

  it('notifies the handler of a cancel, and delivers nothing more', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const listener = new RecordingObserver();
    const call = stub.talk({ text: '' }, listener, INIT);
    const stream = await given(seen);
    call.cancel();
    call.cancel();
    await waitFor(() => seen.cancelled.length > 0);
    expect(stream.write({ text: 'late' }, 1)).toBe(true);
    stream.end();
    await endpoint.drain();
    expect(seen.cancelled.map(({ condition }) => condition)).toEqual(['CANCELLED']);
    expect(seen.call?.signal.aborted).toBe(true);
    expect(listener).toMatchObject({ received: [], ends: 0 });
  });

  it('does not deliver held messages after a cancel while paused', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const [paused, probe] = [new RecordingObserver(), new RecordingObserver()];
    const call = stub.talk({ text: '' }, paused, INIT);
    const stream = await given(seen);
    call.pause();
    stream.write({ text: 'held' }, 1);
    stream.end({ text: 'last' });
    stub.talk({ text: '' }, probe, INIT);
    await waitFor(() => seen.stream !== stream);
    call.cancel();
    call.resume();
    seen.stream?.end();
    await probe.over;
    await endpoint.drain();
    expect(paused).toMatchObject({ received: [], ends: 0 });
  });

  it.each(['deadline', 'signal'])('ends on both sides by its %s', async (kind) => {
    const { seen, talk } = idle();
    const { stub } = await open(talk);
    const caller = new AbortController();
    const listener = new RecordingObserver();
    stub.talk({ text: '' }, listener, kind === 'deadline' ? { ...INIT, deadlineMs: 4_000 } : { ...INIT, signal: caller.signal });
    await given(seen);
    if (kind === 'signal') caller.abort();
    await expect(listener.over).resolves.toMatchObject({ condition: kind === 'deadline' ? 'TIMEOUT' : 'CANCELLED' });
    await waitFor(() => seen.cancelled.length === 1);
    await waitFor(() => seen.call?.signal.aborted);
    expect(listener).toMatchObject({ received: [], ends: 1 });
  });

  it('fails when the signal has already aborted', async () => {
    const { stub } = await open(idle().talk);
    const over = callMultiplexed(stub.talk, { text: '' }, { ...INIT, signal: AbortSignal.abort() });
    await expect(over).rejects.toMatchObject({ condition: 'CANCELLED' });
  });

  it('ends at its deadline also while paused', async () => {
    const { seen, talk } = idle();
    const { stub } = await open(talk);
    const listener = new RecordingObserver();
    const call = stub.talk({ text: '' }, listener, { ...INIT, deadlineMs: 4_000 });
    const stream = await given(seen);
    call.pause();
    stream.write({ text: 'held' }, 1);
    stream.end();
    await expect(listener.over).resolves.toMatchObject({ condition: 'TIMEOUT' });
    call.resume();
    expect(listener).toMatchObject({ received: [], ends: 1 });
    expect(seen.cancelled).toEqual([]);
  });

  it('bounds what a handler may write to a paused reader, and delivers every message once after resume', async () => {
    const message = 8 * 1024;
    const seen = { written: 0, most: 0, drains: 0 };
    const { stub } = await open((_request, stream) => {
      const produce = () => {
        for (;;) {
          if (seen.written >= 100) return stream.end();
          if (!stream.write({ text: String(seen.written++) }, message)) return;
        }
      };
      stream.onDrain = () => {
        seen.drains++;
        produce();
      };
      produce();
    });
    const listener = new RecordingObserver();
    const call = stub.talk({ text: '' }, listener, INIT);
    call.pause();
    await waitFor(() => seen.written >= WINDOW_BYTES / message);
    expect(seen.written).toBe(WINDOW_BYTES / message);
    expect(listener.received).toEqual([]);
    // One message at a time: the window opens only as the reader reads.
    listener.onMessage = () => call.pause();
    call.resume();
    // A message may still be in the socket's buffer.
    await waitFor(() => listener.received.length > 0);
    expect(listener.received).toEqual(['0']);
    expect(seen.written * message).toBeLessThanOrEqual(WINDOW_BYTES + message * 2);
    listener.onMessage = () => undefined;
    call.resume();
    await listener.over;
    expect(listener.received).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
    expect(seen.drains).toBeGreaterThan(0);
  });

  it('passes requests and responses of 20 MB between small ones', async () => {
    const { stub } = await open(({ text }, stream) => stream.end({ text }, text.length));
    const large = 'x'.repeat(20 * 1024 * 1024);
    const init = { ...INIT, deadlineMs: 25_000 };
    const answers = await Promise.all(
      ['a', large, 'b'].map((text) => callMultiplexed(stub.talk, { text }, { ...init, weight: text.length })),
    );
    expect(answers.map(({ text }) => text.length)).toEqual([1, large.length, 1]);
  });

  it('is refused while the service drains, which waits for calls in progress', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const first = new RecordingObserver();
    stub.talk({ text: '' }, first, INIT);
    const stream = await given(seen);
    let drained = false;
    const draining = endpoint.drain().then(() => (drained = true));
    await expect(callMultiplexed(stub.talk, { text: '' }, INIT)).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
    expect(drained).toBe(false);
    stream.end({ text: 'done' });
    await draining;
    await first.over;
    expect(first.received).toEqual(['done']);
  });

  it('fails with SERVICE_UNAVAILABLE when the service closes', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const listener = new RecordingObserver();
    stub.talk({ text: '' }, listener, INIT);
    await given(seen);
    await endpoint.close();
    await expect(listener.over).resolves.toBeInstanceOf(LostCallError);
    await waitFor(() => seen.cancelled.length === 1);
    await expect(callMultiplexed(stub.talk, { text: '' }, INIT)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });
});
