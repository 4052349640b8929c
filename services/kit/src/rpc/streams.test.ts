import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitFor } from '../testing/wait-for.ts';
import { type Call } from './call.ts';
import { type Handlers } from './service-implementation.ts';
import { type Echo, type EchoFixture, INIT, openEcho, type Text, TRANSPORTS } from './testing/echo.ts';

describe.each(TRANSPORTS)('streams over %s', (listen) => {
  let fixture: EchoFixture;
  const open = async (handlers: Partial<Handlers<typeof Echo>>) => (fixture = await openEcho(listen, handlers));
  afterEach(() => fixture.close());

  async function take(answers: AsyncIterable<Text>, most = Number.POSITIVE_INFINITY): Promise<string[]> {
    const texts: string[] = [];
    for await (const { text } of answers) if (texts.push(text) >= most) break;
    return texts;
  }

  /** Counts without end until it is stopped. */
  const endless = () => {
    const seen = { made: 0, stopped: false, call: undefined as Call | undefined };
    async function* count(request: Text, call: Call) {
      seen.call = call;
      try {
        for (;;) yield { text: request.text + String(seen.made++) };
      } finally {
        seen.stopped = true;
      }
    }
    return { seen, count };
  };

  it('delivers every response in order', async () => {
    const { stub } = await open({
      count: async function* ({ text }) {
        for (let n = 0; n < Number(text); n++) yield { text: String(n) };
      },
    });
    await expect(take(stub.count({ text: '500' }, INIT))).resolves.toEqual(Array.from({ length: 500 }, (_, n) => String(n)));
  });

  it('throws a coded error after the responses before it', async () => {
    const { stub } = await open({
      count: async function* () {
        yield { text: 'first' };
        throw new GatewayError('ASSET_NOT_READY', 'wait', { param: 'id', retryAfterMs: 20 });
      },
    });
    const received: string[] = [];
    const reading = (async () => {
      for await (const { text } of stub.count({ text: '' }, INIT)) received.push(text);
    })();
    await expect(reading).rejects.toMatchObject({ condition: 'ASSET_NOT_READY', param: 'id', retryAfterMs: 20 });
    expect(received).toEqual(['first']);
  });

  it('stops the producer when the consumer breaks', async () => {
    const { seen, count } = endless();
    const { stub, endpoint } = await open({ count });
    await expect(take(stub.count({ text: '' }, INIT), 3)).resolves.toEqual(['0', '1', '2']);
    await waitFor(() => seen.stopped);
    await endpoint.drain();
  });

  it('stops a producer that waits for a slow reader that cancels', async () => {
    const { seen, count } = endless();
    const { stub, endpoint } = await open({ count });
    const caller = new AbortController();
    const answers = stub.count({ text: 'x'.repeat(100_000) }, { ...INIT, signal: caller.signal })[Symbol.asyncIterator]();
    await answers.next();
    caller.abort();
    const rest = async () => {
      for (let item = await answers.next(); !item.done; item = await answers.next());
    };
    await expect(rest()).rejects.toMatchObject({ condition: 'CANCELLED' });
    await waitFor(() => seen.stopped);
    await endpoint.drain();
  });

  it('bounds what a producer writes for a reader that does not read', async () => {
    const { seen, count } = endless();
    const { stub } = await open({ count });
    const answers = stub.count({ text: 'x'.repeat(64 * 1024) }, INIT)[Symbol.asyncIterator]();
    await answers.next();
    // Loopback buffers and HTTP/2 windows of 8 MB are what a stream may hold.
    await expect(waitFor(() => seen.made > 600, { timeoutMs: 300 })).rejects.toThrow();
    await answers.return?.();
    await waitFor(() => seen.stopped);
  });

  it('ends with TIMEOUT at the deadline even if the producer ignores the signal', async () => {
    const seen: { call?: Call } = {};
    const { stub } = await open({
      count: async function* (_request, call) {
        seen.call = call;
        yield { text: 'first' };
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
      },
    });
    await expect(take(stub.count({ text: '' }, { ...INIT, deadlineMs: 1_000 }))).rejects.toMatchObject({ condition: 'TIMEOUT' });
    await waitFor(() => seen.call?.abortReason);
  });

  it('fails at once when the signal has already aborted', async () => {
    const { stub } = await open({ count: endless().count });
    await expect(take(stub.count({ text: '' }, { ...INIT, signal: AbortSignal.abort() }))).rejects.toMatchObject({
      condition: 'CANCELLED',
    });
  });

  it('sends a stream of requests as fast as it is read', async () => {
    const { stub } = await open({
      collect: async (requests) => {
        let size = 0;
        for await (const { text } of requests) size += text.length;
        return { text: String(size) };
      },
    });
    async function* pieces() {
      for (let n = 0; n < 300; n++) yield { text: 'x'.repeat(64 * 1024) };
    }
    const answer = stub.collect(pieces(), { ...INIT, deadlineMs: 20_000 });
    await expect(answer).resolves.toEqual({ text: String(300 * 64 * 1024) });
  });

  it('fails with what the producer of requests threw', async () => {
    const { stub } = await open({
      collect: async (requests) => {
        for await (const _ of requests);
        return { text: 'all' };
      },
    });
    async function* pieces() {
      yield { text: 'one' };
      throw new GatewayError('UPLOAD_FAILED', 'the disk is full');
    }
    await expect(stub.collect(pieces(), INIT)).rejects.toMatchObject({ condition: 'UPLOAD_FAILED', message: 'the disk is full' });
  });

  it('never takes an interrupted stream of requests for a complete one', async () => {
    const seen = { whole: 0, broken: 0, received: new Set<string>() };
    const { stub, endpoint } = await open({
      collect: async (requests) => {
        try {
          for await (const { text } of requests) seen.received.add(text);
          seen.whole++;
        } catch (error) {
          seen.broken++;
          throw error;
        }
        return { text: 'all' };
      },
    });
    async function* pieces(name: string, leave: () => void) {
      yield { text: name };
      await waitFor(() => seen.received.has(name));
      leave();
      throw new GatewayError('UPLOAD_FAILED', 'the client is gone');
    }
    const failed = Array.from({ length: 20 }, (_, n) => {
      const caller = new AbortController();
      const leave = () => n % 2 === 0 && caller.abort();
      return stub.collect(pieces(String(n), leave), { ...INIT, signal: caller.signal }).catch((error: GatewayError) => error.condition);
    });
    for (const condition of await Promise.all(failed)) expect(['UPLOAD_FAILED', 'CANCELLED']).toContain(condition);
    await waitFor(() => seen.whole + seen.broken === 20);
    expect(seen.whole).toBe(0);
    await endpoint.drain();
  });

  it('retains no request that has been read', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { stub } = await open({
      collect: async (requests) => {
        const read: WeakRef<Text>[] = [];
        for await (const request of requests) {
          read.push(new WeakRef(request));
          if (read.length < 50) continue;
          // A turn of the event loop: what a weak reference has been asked for lives until then.
          await waitFor(() => {
            collectGarbage();
            return read.slice(0, 40).every((one) => one.deref() === undefined);
          });
          return { text: 'none' };
        }
        return { text: 'too few' };
      },
    });
    async function* pieces() {
      for (let n = 0; n < 60; n++) yield { text: `${n} ${'x'.repeat(1_000)}` };
    }
    await expect(stub.collect(pieces(), { ...INIT, deadlineMs: 20_000 })).resolves.toEqual({ text: 'none' });
  });

  it('stops the producer of requests when the response comes early', async () => {
    const { stub } = await open({
      collect: async () => {
        throw new GatewayError('FILE_TOO_LARGE', 'too large');
      },
    });
    let stopped = false;
    async function* pieces() {
      try {
        for (;;) {
          yield { text: 'x'.repeat(64 * 1024) };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        stopped = true;
      }
    }
    const source = pieces();
    await expect(stub.collect(source, INIT)).rejects.toMatchObject({ condition: 'FILE_TOO_LARGE' });
    if (listen !== 'in-process') await waitFor(() => stopped);
  });
});
