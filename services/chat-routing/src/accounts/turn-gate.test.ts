import { describe, expect, it } from '@jest/globals';
import { OpenCall, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import fc from 'fast-check';
import { TurnGate } from './turn-gate.ts';

const newCall = () => new OpenCall(SYSTEM_CALLER, 60_000);
const rest = () => new Promise((resolve) => setImmediate(resolve));

/** What came of waiting for room, in the order in which it came. */
function waiters(gate: TurnGate, names: string) {
  const seen: string[] = [];
  const calls = [...names].map((name) => {
    const call = newCall();
    gate.enter(call).then(
      () => seen.push(name),
      (error: unknown) => seen.push(`${name}:${(error as GatewayError).condition}`),
    );
    return call;
  });
  return { seen, calls };
}

describe('TurnGate', () => {
  it('lets in as many as it may, and the others in the order in which they came', async () => {
    const gate = new TurnGate(2, { length: 10, waitMs: 60_000 });
    const { seen } = waiters(gate, 'abcde');
    await rest();
    expect([seen.join(''), gate.inFlight, gate.waiting]).toEqual(['ab', 2, 3]);
    expect(gate.tryEnter()).toBe(false);
    gate.leave();
    gate.leave();
    await rest();
    expect([seen.join(''), gate.inFlight, gate.waiting]).toEqual(['abcd', 2, 1]);
  });

  it('refuses with a time to come back when too many wait', async () => {
    const gate = new TurnGate(1, { length: 1, waitMs: 60_000 });
    const { seen } = waiters(gate, 'ab');
    await expect(gate.enter(newCall())).rejects.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 1_000 });
    expect(seen).toEqual(['a']);
  });

  it('refuses whoever has waited long enough, and keeps no place for it', async () => {
    const gate = new TurnGate(1, { length: 1, waitMs: 20 });
    gate.tryEnter();
    await expect(gate.enter(newCall())).rejects.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    gate.leave();
    expect([gate.inFlight, gate.waiting]).toEqual([0, 0]);
  });

  it('forgets a turn that is given up while it waits', async () => {
    const gate = new TurnGate(1, { length: 10, waitMs: 60_000 });
    const { seen, calls } = waiters(gate, 'abc');
    calls[1]?.abort(new GatewayError('CANCELLED', 'gone'));
    gate.leave();
    await rest();
    expect([seen, gate.inFlight, gate.waiting]).toEqual([['a', 'b:CANCELLED', 'c'], 1, 0]);
    await expect(gate.enter(calls[1] as OpenCall)).rejects.toMatchObject({ condition: 'CANCELLED' });
  });

  it('follows another limit at once, both ways', async () => {
    const gate = new TurnGate(1, { length: 10, waitMs: 60_000 });
    const { seen } = waiters(gate, 'abcd');
    gate.resize(3);
    await rest();
    expect(seen.join('')).toBe('abc');
    gate.resize(1);
    gate.leave();
    gate.leave();
    await rest();
    expect([seen.join(''), gate.inFlight]).toEqual(['abc', 1]);
    gate.leave();
    await rest();
    expect([seen.join(''), gate.inFlight]).toEqual(['abcd', 1]);
  });

  it('says now and then that turns wait', () => {
    let told = 0;
    const gate = new TurnGate(1, { length: 10, waitMs: 60_000 }, () => told++);
    waiters(gate, 'a');
    expect(told).toBe(0);
    waiters(gate, 'bcd');
    expect(told).toBe(1);
  });

  it('never counts wrong, whatever comes', async () => {
    const action = fc.constantFrom('enter', 'leave', 'give up', 'grow', 'shrink');
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const gate = new TurnGate(2, { length: 5, waitMs: 60_000 });
        const queued: OpenCall[] = [];
        let [limit, inside] = [2, 0];
        for (const each of actions) {
          if (each === 'leave' && inside > 0) gate.leave();
          if (each === 'leave' && inside > 0) inside--;
          if (each === 'give up') queued.shift()?.abort(new GatewayError('CANCELLED', 'gone'));
          if (each === 'grow') gate.resize(++limit);
          if (each === 'shrink' && limit > 1) gate.resize(--limit);
          if (each === 'enter') {
            const call = newCall();
            queued.push(call);
            const done = () => queued.splice(queued.indexOf(call), queued.includes(call) ? 1 : 0);
            gate.enter(call).then(() => (done(), inside++), done);
          }
          await rest();
          expect([gate.inFlight, gate.waiting]).toEqual([inside, queued.length]);
          expect(gate.waiting === 0 || gate.inFlight >= limit).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
