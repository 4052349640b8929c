import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { waitFor } from '../testing/wait-for.ts';
import { type Call } from './call.ts';
import { answer, ask, type MultiplexedHandler, type ServerStream, WINDOW } from './multiplexed-call.ts';
import { LostCallError } from './status.ts';
import { type EchoFixture, INIT, openEcho, type Text, TRANSPORTS } from './testing/echo.ts';
import { Listener } from './testing/listener.ts';

type Talk = MultiplexedHandler<Text, Text>;

describe.each(TRANSPORTS)('an exchange over %s', (listen) => {
  let fixture: EchoFixture;
  const open = async (talk: Talk) => (fixture = await openEcho(listen, { talk }));
  afterEach(() => fixture.close());

  /** A handler that does nothing, and what it was given. */
  const idle = () => {
    const seen: { outlet?: ServerStream<Text>; call?: Call; cancelled: GatewayError[] } = { cancelled: [] };
    const talk: Talk = (_request, outlet, call) => {
      Object.assign(seen, { outlet, call });
      outlet.onCancel = (reason) => seen.cancelled.push(reason);
    };
    return { seen, talk };
  };
  const given = (seen: { outlet?: ServerStream<Text> }) => waitFor(() => seen.outlet);

  it('gives messages in order and the last one with the end', async () => {
    const { stub } = await open(({ text }, outlet, { caller, traceparent }) => {
      expect({ caller, traceparent }).toEqual({ caller: INIT.caller, traceparent: INIT.traceparent });
      outlet.write({ text: `${text}1` }, 1);
      outlet.write({ text: `${text}2` }, 1);
      outlet.end({ text: `${text}3` }, 1);
    });
    const listener = new Listener();
    stub.talk({ text: 'a' }, listener, INIT);
    expect(listener.heard).toEqual([]);
    await expect(listener.over).resolves.toBeUndefined();
    expect(listener).toMatchObject({ heard: ['a1', 'a2', 'a3'], ends: 1 });
  });

  it('keeps many exchanges apart that run at the same time', async () => {
    const { stub } = await open(async ({ text }, outlet) => {
      for (let n = 0; n < 5; n++) {
        outlet.write({ text: `${text}:${n}` }, 4);
        await new Promise((resolve) => setImmediate(resolve));
      }
      outlet.end();
    });
    const listeners = Array.from({ length: 200 }, () => new Listener());
    listeners.forEach((listener, index) => stub.talk({ text: String(index) }, listener, INIT));
    await Promise.all(listeners.map(({ over }) => over));
    listeners.forEach(({ heard }, index) => expect(heard).toEqual([0, 1, 2, 3, 4].map((n) => `${index}:${n}`)));
  });

  it('answers questions with one answer', async () => {
    const { stub } = await open(answer(async ({ text }) => ({ text: `${text}!` })));
    await expect(ask(stub.talk, { text: 'hi' }, INIT)).resolves.toEqual({ text: 'hi!' });
  });

  it.each<[string, Talk]>([
    ['fails', (_request, outlet) => outlet.fail(new GatewayError('CONVERSATION_BUSY', 'busy', { param: 'p', retryAfterMs: 10.2 }))],
    [
      'throws',
      () => {
        throw new GatewayError('CONVERSATION_BUSY', 'busy', { param: 'p', retryAfterMs: 10.2 });
      },
    ],
    ['rejects', async () => Promise.reject(new GatewayError('CONVERSATION_BUSY', 'busy', { param: 'p', retryAfterMs: 10.2 }))],
  ])('carries the coded error of a handler that %s', async (_how, talk) => {
    const { stub, logged } = await open(talk);
    const error = await ask(stub.talk, { text: '' }, INIT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ condition: 'CONVERSATION_BUSY', message: 'busy', param: 'p', retryAfterMs: 11 });
    expect(logged).toEqual([]);
  });

  it('tells only the log what an unexpected error says', async () => {
    const { stub, logged } = await open(async () => Promise.reject(new Error('secret')));
    await expect(ask(stub.talk, { text: '' }, INIT)).rejects.toMatchObject({ condition: 'INTERNAL_ERROR', message: 'internal error' });
    expect(logged).toMatchObject([{ method: 'talk', err: { message: 'secret' } }]);
  });

  it('ends once, and reports what a handler throws behind the end', async () => {
    const { stub, logged, endpoint } = await open(async (_request, outlet) => {
      outlet.end({ text: 'end' });
      outlet.end({ text: 'again' });
      outlet.fail(new GatewayError('CONVERSATION_BUSY', 'busy'));
      outlet.write({ text: 'late' }, 1);
      throw new Error('behind the end');
    });
    const listener = new Listener();
    stub.talk({ text: '' }, listener, INIT);
    await listener.over;
    await waitFor(() => logged.length === 1);
    expect(logged).toMatchObject([{ err: { message: 'behind the end' } }]);
    await endpoint.drain();
    expect(listener).toMatchObject({ heard: ['end'], ends: 1 });
  });

  it('tells the handler that the reader gave up, and the reader nothing more', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const listener = new Listener();
    const exchange = stub.talk({ text: '' }, listener, INIT);
    const outlet = await given(seen);
    exchange.cancel();
    exchange.cancel();
    await waitFor(() => seen.cancelled.length > 0);
    expect(outlet.write({ text: 'late' }, 1)).toBe(true);
    outlet.end();
    await endpoint.drain();
    expect(seen.cancelled.map(({ condition }) => condition)).toEqual(['CANCELLED']);
    expect(seen.call?.signal.aborted).toBe(true);
    expect(listener).toMatchObject({ heard: [], ends: 0 });
  });

  it('does not deliver what is held to a reader that gave up while paused', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const [paused, probe] = [new Listener(), new Listener()];
    const exchange = stub.talk({ text: '' }, paused, INIT);
    const outlet = await given(seen);
    exchange.pause();
    outlet.write({ text: 'held' }, 1);
    outlet.end({ text: 'last' });
    stub.talk({ text: '' }, probe, INIT);
    await waitFor(() => seen.outlet !== outlet);
    exchange.cancel();
    exchange.resume();
    seen.outlet?.end();
    await probe.over;
    await endpoint.drain();
    expect(paused).toMatchObject({ heard: [], ends: 0 });
  });

  it.each(['deadline', 'signal'])('ends on both sides by its %s', async (kind) => {
    const { seen, talk } = idle();
    const { stub } = await open(talk);
    const caller = new AbortController();
    const listener = new Listener();
    stub.talk({ text: '' }, listener, kind === 'deadline' ? { ...INIT, deadlineMs: 80 } : { ...INIT, signal: caller.signal });
    await given(seen);
    if (kind === 'signal') caller.abort();
    await expect(listener.over).resolves.toMatchObject({ condition: kind === 'deadline' ? 'TIMEOUT' : 'CANCELLED' });
    await waitFor(() => seen.cancelled.length === 1);
    await waitFor(() => seen.call?.signal.aborted);
    expect(listener).toMatchObject({ heard: [], ends: 1 });
  });

  it('fails for a caller who had given up before', async () => {
    const { stub } = await open(idle().talk);
    const over = ask(stub.talk, { text: '' }, { ...INIT, signal: AbortSignal.abort() });
    await expect(over).rejects.toMatchObject({ condition: 'CANCELLED' });
  });

  it('has its deadline also while its reader is paused', async () => {
    const { seen, talk } = idle();
    const { stub } = await open(talk);
    const listener = new Listener();
    const exchange = stub.talk({ text: '' }, listener, { ...INIT, deadlineMs: 200 });
    const outlet = await given(seen);
    exchange.pause();
    outlet.write({ text: 'held' }, 1);
    outlet.end();
    await expect(listener.over).resolves.toMatchObject({ condition: 'TIMEOUT' });
    exchange.resume();
    expect(listener).toMatchObject({ heard: [], ends: 1 });
    expect(seen.cancelled).toEqual([]);
  });

  it('bounds what a producer may write for a paused reader, and lets it go on with every message delivered once', async () => {
    const message = 8 * 1024;
    const seen = { written: 0, most: 0, drains: 0 };
    const { stub } = await open((_request, outlet) => {
      const produce = () => {
        for (;;) {
          if (seen.written >= 100) return outlet.end();
          if (!outlet.write({ text: String(seen.written++) }, message)) return;
        }
      };
      outlet.onDrain = () => {
        seen.drains++;
        produce();
      };
      produce();
    });
    const listener = new Listener();
    const exchange = stub.talk({ text: '' }, listener, INIT);
    exchange.pause();
    await waitFor(() => seen.written >= WINDOW / message);
    expect(seen.written).toBe(WINDOW / message);
    expect(listener.heard).toEqual([]);
    // One message at a time: the window opens only as the reader takes.
    listener.onMessage = () => exchange.pause();
    exchange.resume();
    // What has arrived may still be between the socket and us.
    await waitFor(() => listener.heard.length > 0);
    expect(listener.heard).toEqual(['0']);
    expect(seen.written * message).toBeLessThanOrEqual(WINDOW + message * 2);
    listener.onMessage = () => undefined;
    exchange.resume();
    await listener.over;
    expect(listener.heard).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
    expect(seen.drains).toBeGreaterThan(0);
  });

  it('passes requests and answers of 20 MB between small ones', async () => {
    const { stub } = await open(({ text }, outlet) => outlet.end({ text }, text.length));
    const large = 'x'.repeat(20 * 1024 * 1024);
    const init = { ...INIT, deadlineMs: 25_000 };
    const answers = await Promise.all(['a', large, 'b'].map((text) => ask(stub.talk, { text }, { ...init, weight: text.length })));
    expect(answers.map(({ text }) => text.length)).toEqual([1, large.length, 1]);
  });

  it('is refused while the service drains, which waits for those under way', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const first = new Listener();
    stub.talk({ text: '' }, first, INIT);
    const outlet = await given(seen);
    let drained = false;
    const draining = endpoint.drain().then(() => (drained = true));
    await expect(ask(stub.talk, { text: '' }, INIT)).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
    expect(drained).toBe(false);
    outlet.end({ text: 'done' });
    await draining;
    await first.over;
    expect(first.heard).toEqual(['done']);
  });

  it('fails with SERVICE_UNAVAILABLE when the service closes', async () => {
    const { seen, talk } = idle();
    const { stub, endpoint } = await open(talk);
    const listener = new Listener();
    stub.talk({ text: '' }, listener, INIT);
    await given(seen);
    await endpoint.close();
    await expect(listener.over).resolves.toBeInstanceOf(LostCallError);
    await waitFor(() => seen.cancelled.length === 1);
    await expect(ask(stub.talk, { text: '' }, INIT)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });
});
