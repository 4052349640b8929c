import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SharedRateWindow } from './shared-rate-window.ts';
import { StoreCircuitBreaker } from './store-circuit-breaker.ts';

const POLICY = { points: 3, seconds: 60, text: '3 per 1 minute' };

/** A store that can be away, and whose calls are counted. */
class FakeStore extends RateLimiterMemory {
  asked = 0;
  isAway = false;

  constructor() {
    super({ points: POLICY.points, duration: POLICY.seconds });
  }

  override consume(client: string) {
    this.asked++;
    return this.isAway ? Promise.reject(new Error('connection refused')) : super.consume(client);
  }
}

describe('SharedRateWindow', () => {
  const lines: { msg: string }[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as { msg: string });
  const log = createLogger({ service: 'test', level: 'info', destination: { write } });
  let now = 0;
  let store: FakeStore;
  beforeEach(() => {
    now = 1_000;
    lines.length = 0;
    store = new FakeStore();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  const edge = (deadlineMs = 1_000) => new SharedRateWindow(store, POLICY, new StoreCircuitBreaker(log, deadlineMs));
  const admitted = async (window: SharedRateWindow, client = 'a') => (await window.count(client)).isAdmitted;

  it('counts over all edges', async () => {
    const [one, other] = [edge(), edge()];
    expect(await one.count('a')).toEqual({ isAdmitted: true, remaining: 2, resetMs: expect.any(Number) });
    expect([await admitted(other), await admitted(one), await admitted(other), await admitted(one)]).toEqual([true, true, false, false]);
    expect(await admitted(other, 'b')).toBe(true);
  });

  it('does not ask the store about a client that it has refused, until the window ends', async () => {
    const one = edge();
    for (let i = 0; i < 4; i++) await one.count('a');
    for (let i = 0; i < 10; i++) expect(one.count('a')).toMatchObject({ isAdmitted: false, remaining: 0 });
    expect(store.asked).toBe(4);
    now += 60_001;
    await one.count('a');
    expect(store.asked).toBe(5);
  });

  it('counts by itself while the store is away, with what it let pass before, and says so once', async () => {
    const one = edge();
    await one.count('a');
    store.isAway = true;
    expect([await admitted(one), await admitted(one), await admitted(one)]).toEqual([true, true, false]);
    expect(store.asked).toBe(2);
    expect(lines).toMatchObject([{ msg: 'throttle counters are not shared: each edge counts by itself', reason: 'connection refused' }]);
  });

  it('finds out with one request in a second whether the store is back', async () => {
    const one = edge();
    store.isAway = true;
    await one.count('a');
    now += 1_000;
    await Promise.all(['b', 'c', 'd'].map(async (client) => one.count(client)));
    expect(store.asked).toBe(2);
    store.isAway = false;
    now += 1_000;
    await one.count('e');
    await one.count('f');
    expect(store.asked).toBe(4);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'throttle counters are not shared: each edge counts by itself',
      'throttle counters are shared again',
    ]);
  });

  it('does not wait for ever', async () => {
    const one = edge(5);
    jest.spyOn(store, 'consume').mockReturnValue(new Promise(() => undefined));
    expect(await one.count('a')).toEqual({ isAdmitted: true, remaining: 2, resetMs: 60_000 });
    expect(lines).toMatchObject([{ reason: 'no answer within 5 ms' }]);
  });
});
