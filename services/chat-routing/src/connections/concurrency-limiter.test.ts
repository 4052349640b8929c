import { describe, expect, it } from '@jest/globals';
import { OpenCall, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import fc from 'fast-check';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const newCall = () => new OpenCall(SYSTEM_CALLER, 60_000);
const rest = () => new Promise((resolve) => setImmediate(resolve));

/** What came of waiting for room, in the order in which it came. */
function waiters(limiter: ConcurrencyLimiter, names: string) {
  const seen: string[] = [];
  const calls = [...names].map((name) => {
    const call = newCall();
    limiter.acquire(call).then(
      () => seen.push(name),
      (error: unknown) => seen.push(`${name}:${(error as GatewayError).condition}`),
    );
    return call;
  });
  return { seen, calls };
}

describe('ConcurrencyLimiter', () => {
  it('lets in as many as it may, and the others in the order in which they came', async () => {
    const limiter = new ConcurrencyLimiter(2, { length: 10, waitMs: 60_000 });
    const { seen } = waiters(limiter, 'abcde');
    await rest();
    expect([seen.join(''), limiter.inFlight, limiter.waiting]).toEqual(['ab', 2, 3]);
    expect(limiter.tryAcquire()).toBe(false);
    limiter.release();
    limiter.release();
    await rest();
    expect([seen.join(''), limiter.inFlight, limiter.waiting]).toEqual(['abcd', 2, 1]);
  });

  it('refuses with a time to come back when too many wait', async () => {
    const limiter = new ConcurrencyLimiter(1, { length: 1, waitMs: 60_000 });
    const { seen } = waiters(limiter, 'ab');
    await expect(limiter.acquire(newCall())).rejects.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 1_000 });
    expect(seen).toEqual(['a']);
  });

  it('refuses a turn that has waited long enough, and removes it from the queue', async () => {
    const limiter = new ConcurrencyLimiter(1, { length: 1, waitMs: 20 });
    limiter.tryAcquire();
    await expect(limiter.acquire(newCall())).rejects.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    limiter.release();
    expect([limiter.inFlight, limiter.waiting]).toEqual([0, 0]);
  });

  it('forgets a turn that is given up while it waits', async () => {
    const limiter = new ConcurrencyLimiter(1, { length: 10, waitMs: 60_000 });
    const { seen, calls } = waiters(limiter, 'abc');
    calls[1]?.abort(new GatewayError('CANCELLED', 'gone'));
    limiter.release();
    await rest();
    expect([seen, limiter.inFlight, limiter.waiting]).toEqual([['a', 'b:CANCELLED', 'c'], 1, 0]);
    await expect(limiter.acquire(calls[1] as OpenCall)).rejects.toMatchObject({ condition: 'CANCELLED' });
  });

  it('follows another limit at once, both ways', async () => {
    const limiter = new ConcurrencyLimiter(1, { length: 10, waitMs: 60_000 });
    const { seen } = waiters(limiter, 'abcd');
    limiter.resize(3);
    await rest();
    expect(seen.join('')).toBe('abc');
    limiter.resize(1);
    limiter.release();
    limiter.release();
    await rest();
    expect([seen.join(''), limiter.inFlight]).toEqual(['abc', 1]);
    limiter.release();
    await rest();
    expect([seen.join(''), limiter.inFlight]).toEqual(['abcd', 1]);
  });

  it('reports once in a while that turns wait', () => {
    let calls = 0;
    const limiter = new ConcurrencyLimiter(1, { length: 10, waitMs: 60_000 }, () => calls++);
    waiters(limiter, 'a');
    expect(calls).toBe(0);
    waiters(limiter, 'bcd');
    expect(calls).toBe(1);
  });

  it('never counts wrong, whatever comes', async () => {
    const action = fc.constantFrom('enter', 'leave', 'give up', 'grow', 'shrink');
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const limiter = new ConcurrencyLimiter(2, { length: 5, waitMs: 60_000 });
        const queued: OpenCall[] = [];
        let [limit, inside] = [2, 0];
        for (const each of actions) {
          if (each === 'leave' && inside > 0) limiter.release();
          if (each === 'leave' && inside > 0) inside--;
          if (each === 'give up') queued.shift()?.abort(new GatewayError('CANCELLED', 'gone'));
          if (each === 'grow') limiter.resize(++limit);
          if (each === 'shrink' && limit > 1) limiter.resize(--limit);
          if (each === 'enter') {
            const call = newCall();
            queued.push(call);
            const done = () => queued.splice(queued.indexOf(call), queued.includes(call) ? 1 : 0);
            limiter.acquire(call).then(() => (done(), inside++), done);
          }
          await rest();
          expect([limiter.inFlight, limiter.waiting]).toEqual([inside, queued.length]);
          expect(limiter.waiting === 0 || limiter.inFlight >= limit).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
