import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { enableMetrics, readMetrics } from '../telemetry/meter.ts';
import { NOOP_SPAN, toPassthroughSpan } from '../telemetry/span.ts';
import { SAMPLED } from '../testing/telemetry.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type Call, toDownstreamInit, withParentSpan } from './call.ts';
import { LostCallError } from './grpc-status.ts';
import { type Handlers } from './service-implementation.ts';
import { type Echo, type EchoFixture, INIT, openEcho, TRANSPORTS } from './testing/echo.ts';

describe.each(TRANSPORTS)('a unary call over %s', (listen) => {
  let fixture: EchoFixture;
  const open = async (handlers: Partial<Handlers<typeof Echo>>) => (fixture = await openEcho(listen, handlers));
  afterEach(() => fixture.close());

  /** A handler that never answers by itself, and what it saw. */
  const waiting = () => {
    const seen: { call?: Call; reason?: unknown } = {};
    const say = (_request: unknown, call: Call) => {
      seen.call = call;
      return new Promise<never>((_resolve, reject) =>
        call.signal.addEventListener('abort', () => {
          seen.reason = call.signal.reason;
          reject(new GatewayError('TIMEOUT', 'stopped'));
        }),
      );
    };
    return { seen, say };
  };

  it('returns the response, and passes the caller to the handler', async () => {
    let seen: Call | undefined;
    const { stub } = await open({
      say: async ({ text }, call) => {
        seen = call;
        return { text: text.toUpperCase() };
      },
    });
    await expect(stub.say({ text: 'hello' }, { ...INIT, deadlineMs: 40_000 })).resolves.toEqual({ text: 'HELLO' });
    expect(seen?.caller).toEqual(INIT.caller);
    expect(seen?.traceparent).toBe(INIT.traceparent);
    expect(seen?.timeLeft()).toBeGreaterThan(0);
    expect(seen?.timeLeft()).toBeLessThanOrEqual(40_000);
    expect(seen && toDownstreamInit(seen, 60_000)).toMatchObject({ caller: INIT.caller, traceparent: INIT.traceparent });
    expect(seen && toDownstreamInit(seen, 60_000).deadlineMs).toBeLessThanOrEqual(40_000);
  });

  it('hands the span of its caller to a handler in this process, and its traceparent to one elsewhere', async () => {
    const parents: Call['parent'][] = [];
    const { stub } = await open({
      say: async (request, call) => {
        parents.push(call.parent, toDownstreamInit(call).span ?? '', withParentSpan(call, NOOP_SPAN).traceparent);
        expect(call.traceparent).toBe(SAMPLED);
        return request;
      },
    });
    const span = toPassthroughSpan(SAMPLED);
    await stub.say({ text: '' }, { caller: INIT.caller, span });
    expect(parents).toEqual(listen === 'in-process' ? [span, span, ''] : [SAMPLED, '', '']);
  });

  it('passes requests of 20 MB', async () => {
    const { stub } = await open({ say: async ({ text }) => ({ text: String(text.length) }) });
    const text = 'x'.repeat(20 * 1024 * 1024);
    await expect(stub.say({ text }, { ...INIT, deadlineMs: 20_000 })).resolves.toEqual({ text: String(text.length) });
  });

  it('carries the whole coded error, but not its cause', async () => {
    const options = { param: 'model', retryAfterMs: 1_234.5, cause: new Error('secret') };
    const { stub, logged } = await open({
      say: async () => {
        throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider is tired', options);
      },
    });
    const error = await stub.say({ text: '' }, INIT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      condition: 'PROVIDER_RATE_LIMITED',
      message: 'the provider is tired',
      param: 'model',
      retryAfterMs: 1_235,
    });
    expect((error as GatewayError).cause).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it.each([
    ['rejects', async () => Promise.reject(new TypeError('the password is 1234'))],
    [
      'throws at once',
      () => {
        throw new TypeError('the password is 1234');
      },
    ],
  ])('maps what a handler %s with to an internal error, and logs it', async (_how, say) => {
    const { stub, logged, endpoint } = await open({ say });
    const error = await stub.say({ text: '' }, INIT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ condition: 'INTERNAL_ERROR', message: 'internal error' });
    expect(JSON.stringify([error, String((error as Error).cause)])).not.toContain('1234');
    expect(logged).toMatchObject([{ msg: 'handler failed', method: 'say', requestId: 'r', err: { message: 'the password is 1234' } }]);
    await endpoint.drain();
  });

  it('counts failures of handlers by method and code', async () => {
    enableMetrics('test');
    const count = async () =>
      Number(
        /^parley_rpc_errors_total\{method="test.Echo\/Say",code="rate_limit_exceeded"\} (\d+)$/m.exec((await readMetrics()).text)?.[1] ?? 0,
      );
    const { stub } = await open({
      say: async () => {
        throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many');
      },
    });
    const before = await count();
    await expect(stub.say({ text: '' }, INIT)).rejects.toMatchObject({ condition: 'RATE_LIMIT_EXCEEDED' });
    expect(await count()).toBe(before + 1);
  });

  it('ends with TIMEOUT at its deadline, and stops the handler', async () => {
    const { seen, say } = waiting();
    const { stub, logged } = await open({ say });
    await expect(stub.say({ text: '' }, { ...INIT, deadlineMs: 1_000 })).rejects.toMatchObject({ condition: 'TIMEOUT' });
    await waitFor(() => seen.reason);
    expect(seen.call?.abortReason).toBeDefined();
    expect(logged).toEqual([]);
  });

  it('ends with CANCELLED when its caller cancels, and stops the handler', async () => {
    const { seen, say } = waiting();
    const { stub } = await open({ say });
    const caller = new AbortController();
    const answer = stub.say({ text: '' }, { ...INIT, signal: caller.signal });
    answer.catch(() => undefined);
    await waitFor(() => seen.call);
    caller.abort();
    await expect(answer).rejects.toMatchObject({ condition: 'CANCELLED' });
    await waitFor(() => seen.reason);
    expect(seen.call?.abortReason?.condition).toBe('CANCELLED');
  });

  it('does not log an abort by the signal as an error', async () => {
    let failed = false;
    const { stub, logged, endpoint } = await open({
      say: (_request, call) =>
        new Promise<never>((_resolve, reject) => {
          call.signal.addEventListener('abort', () => {
            failed = true;
            reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
          });
        }),
    });
    await expect(stub.say({ text: '' }, { ...INIT, deadlineMs: 1_000 })).rejects.toMatchObject({ condition: 'TIMEOUT' });
    await waitFor(() => failed);
    await endpoint.drain();
    expect(logged).toEqual([]);
  });

  it('fails at once when the signal has already aborted, and leaves nothing behind', async () => {
    const { stub, endpoint } = await open({ say: async () => ({ text: '' }) });
    await expect(stub.say({ text: '' }, { ...INIT, signal: AbortSignal.abort() })).rejects.toMatchObject({ condition: 'CANCELLED' });
    await endpoint.drain();
  });

  it('fails with NOT_IMPLEMENTED for a method that a service does not have', async () => {
    const { stub } = await open({});
    await expect(stub.say({ text: '' }, INIT)).rejects.toMatchObject({ condition: 'NOT_IMPLEMENTED' });
  });

  it('is refused while the service drains, which waits for calls in progress', async () => {
    let answer: (value: { text: string }) => void = () => undefined;
    let begun = false;
    const { stub, endpoint } = await open({
      say: () =>
        new Promise((resolve) => {
          begun = true;
          answer = resolve;
        }),
    });
    const first = stub.say({ text: '' }, INIT);
    await waitFor(() => begun);
    const drained: string[] = [];
    const drains = [endpoint.drain().then(() => drained.push('one')), endpoint.drain().then(() => drained.push('two'))];
    await expect(stub.say({ text: '' }, INIT)).rejects.toMatchObject({ condition: 'SHUTTING_DOWN', retryAfterMs: 1_000 });
    expect(drained).toEqual([]);
    answer({ text: 'late' });
    await expect(first).resolves.toEqual({ text: 'late' });
    await Promise.all(drains);
    expect(drained).toEqual(['one', 'two']);
  });

  it('fails with SERVICE_UNAVAILABLE when the service closes, then and later', async () => {
    const { seen, say } = waiting();
    const { stub, endpoint } = await open({ say });
    const answer = stub.say({ text: '' }, INIT);
    answer.catch(() => undefined);
    await waitFor(() => seen.call);
    await endpoint.close();
    await expect(answer).rejects.toBeInstanceOf(LostCallError);
    await waitFor(() => seen.reason);
    await expect(stub.say({ text: '' }, INIT)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });
});
