import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import fc from 'fast-check';
import { type Quota } from '../config/quota-policy.ts';
import { LeasedQuota } from './leased-quota.ts';
import { QuotaExceededError } from './quota-exceeded-error.ts';
import { QuotaReserver } from './quota-reserver.ts';
import { type LeasedBlock, type SharedQuotaCounter, type LeaseOperation } from './shared-quota-counter.ts';

const WINDOW_MS = 60_000;
const quotaOf = (limit: number, metric: Quota['metric'] = 'requests'): Quota => {
  const policy = { points: limit, seconds: WINDOW_MS / 1_000, text: `${limit} per 1 minute` };
  return { kind: 'key', id: 'k', metric, limit, policy };
};

/** The counter of one quota, as the usage service keeps it, with moves that are counted. */
class Counter implements SharedQuotaCounter {
  used = 0;
  leases = 0;
  settlements: number[] = [];
  /** The next answers that get lost on their way. */
  lost = 0;
  endsAt = performance.now() + WINDOW_MS;
  readonly #held = new Map<string, { move: number; moved: number }>();

  async lease({ leaseId, move }: LeaseOperation, quota: Quota, needed: number, wanted: number): Promise<LeasedBlock> {
    this.leases++;
    const endsAt = this.endsAt;
    const held = this.#held.get(leaseId) ?? { move: 0, moved: 0 };
    if (move > held.move) {
      const left = quota.limit - this.used;
      const granted = left < needed ? 0 : Math.max(needed, Math.min(wanted, Math.ceil(left / 8)));
      this.used += granted;
      this.#held.set(leaseId, { move, moved: granted });
    }
    await new Promise((resolve) => setImmediate(resolve));
    if (this.lost > 0) {
      this.lost--;
      throw new GatewayError('TIMEOUT', 'lost');
    }
    const now = this.#held.get(leaseId);
    return { granted: now?.move === move ? now.moved : 0, left: Math.max(0, quota.limit - this.used), endsAt };
  }

  async settle({ leaseId, move }: LeaseOperation, unused: number): Promise<void> {
    const held = this.#held.get(leaseId);
    if (!held || move <= held.move) return;
    held.move = move;
    this.used -= unused;
    this.settlements.push(unused);
  }

  /** A window that has begun just now, here and in the database. */
  beginWindow(): void {
    this.used = 0;
    this.#held.clear();
    this.endsAt = performance.now() + WINDOW_MS;
  }
}

const admitted = async (takes: readonly (() => unknown)[]) => {
  const results = await Promise.allSettled(takes.map(async (take) => take()));
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(QuotaExceededError);
  return results.filter(({ status }) => status === 'fulfilled').length;
};
const times = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n));

describe('LeasedQuota', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('lets in exactly the limit of any burst over any number of edges', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 4 }), async (limit, edges) => {
        const counter = new Counter();
        const holdings = times(edges, () => new LeasedQuota(quotaOf(limit), counter));
        const takes = times(200, (n) => () => holdings[n % edges]?.debit(quotaOf(limit), 1));
        expect(await admitted(takes)).toBe(limit);
      }),
      { numRuns: 40 },
    );
  });

  it('never lets in more than the limit, whatever is taken when, and all of it once what was not used is back', async () => {
    const step = fc.record({ edge: fc.nat(2), units: fc.integer({ min: 1, max: 9 }), pause: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.array(step, { maxLength: 80 }), async (limit, steps) => {
        const counter = new Counter();
        const quota = quotaOf(limit, 'tokens');
        const holdings = times(3, () => new LeasedQuota(quota, counter));
        let taken = 0;
        const pending = [];
        for (const { edge, units, pause } of steps) {
          const count = async () => (await holdings[edge]?.debit(quota, units), (taken += Math.min(units, limit)));
          pending.push(count().catch(() => undefined));
          if (pause) await Promise.all(pending);
        }
        await Promise.all(pending);
        expect(taken).toBeLessThanOrEqual(limit);
        for (const holding of holdings) await holding.returnBalance();
        expect(counter.used).toBe(taken);
      }),
      { numRuns: 60 },
    );
  });

  it('asks for one block in many requests, and answers them without waiting', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(1_000_000), counter);
    let waited = 0;
    for (let n = 0; n < 10_000; n++) {
      const taken = holding.debit(quotaOf(1_000_000), 1);
      if (!(taken instanceof Promise)) continue;
      waited++;
      await taken;
    }
    expect(waited).toBeLessThan(15);
    expect(counter.leases).toBeLessThan(20);
  });

  it('has no more in hand than a block and what is left of the one before, however quickly they go', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(1_000), counter);
    for (let taken = 1; taken <= 400; taken++) {
      await holding.debit(quotaOf(1_000), 1);
      // A share of the limit, and half of one.
      expect(counter.used - taken).toBeLessThan(190);
    }
  });

  it('knows what is left: exactly while no other edge leases, and after a change of the limit', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(50), counter);
    for (let taken = 1; taken <= 50; taken++) {
      await holding.debit(quotaOf(50), 1);
      expect(holding.state).toMatchObject({ limit: 50, remaining: 50 - taken });
      if (taken === 20) await holding.returnBalance();
    }
    expect(holding.state.resetMs).toBeGreaterThan(0);
    expect(holding.state.resetMs).toBeLessThanOrEqual(WINDOW_MS);
    await admitted([() => holding.debit(quotaOf(70), 1)]);
    expect(holding.state).toMatchObject({ limit: 70, remaining: 19 });
  });

  it('knows what is left after it gave back what it had, and of a debit that settles later', async () => {
    const quota = quotaOf(1_000, 'tokens');
    const holding = new LeasedQuota(quota, new Counter());
    const first = await holding.debit(quota, 100);
    await holding.returnBalance();
    first.settle(10);
    await holding.debit(quota, 50);
    expect(holding.state.remaining).toBe(940);
  });

  it('knows no less than is left when other edges lease as well', async () => {
    const counter = new Counter();
    const [one, other] = [new LeasedQuota(quotaOf(1_000), counter), new LeasedQuota(quotaOf(1_000), counter)];
    await one.debit(quotaOf(1_000), 1);
    for (let n = 0; n < 100; n++) await other.debit(quotaOf(1_000), 1);
    expect(one.state.remaining).toBe(999);
    for (let n = 0; n < 400; n++) await one.debit(quotaOf(1_000), 1);
    expect(one.state.remaining).toBeLessThanOrEqual(599);
  });

  it('says what is left in the units of the policy', async () => {
    const quota = { ...quotaOf(60_000, 'audio_ms'), policy: { points: 60, seconds: 60, text: '60 per 1 minute' } };
    const holding = new LeasedQuota(quota, new Counter());
    await holding.debit(quota, 1_500);
    expect(holding.state).toMatchObject({ limit: 60, remaining: 58 });
  });

  it('asks no more than once a second when nothing is left', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(3), counter);
    await admitted(times(10, () => () => holding.debit(quotaOf(3), 1)));
    const before = counter.leases;
    for (let n = 0; n < 100; n++) expect(await admitted([() => holding.debit(quotaOf(3), 1)])).toBe(0);
    expect(counter.leases - before).toBeLessThanOrEqual(1);
  });

  it('says until when nothing is left', async () => {
    const holding = new LeasedQuota(quotaOf(1), new Counter());
    await holding.debit(quotaOf(1), 1);
    const refusal: unknown = await Promise.resolve(holding.debit(quotaOf(1), 1)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      condition: 'RATE_LIMIT_EXCEEDED',
      limit: 1,
      message: 'the key has used up its quota of requests: 1 per 1 minute',
    });
    expect((refusal as QuotaExceededError).retryAfterMs).toBeGreaterThan(WINDOW_MS - 10_000);
    expect((refusal as QuotaExceededError).retryAfterMs).toBeLessThanOrEqual(WINDOW_MS);
  });

  it('leaves what one edge returns to another', async () => {
    const counter = new Counter();
    const [first, second] = [new LeasedQuota(quotaOf(100), counter), new LeasedQuota(quotaOf(100), counter)];
    await first.debit(quotaOf(100), 1);
    expect(await admitted(times(200, () => () => second.debit(quotaOf(100), 1)))).toBeLessThan(99);
    await first.returnBalance();
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_500);
    expect(counter.used).toBeLessThan(100);
    await admitted(times(200, () => () => second.debit(quotaOf(100), 1)));
    expect(counter.used).toBe(100);
    expect(first.isEmpty).toBe(false);
  });

  it('settles what was reserved by what it took, once, and charges what was too much', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(1_000, 'tokens'), counter);
    const [less, more, same] = await Promise.all(times(3, async () => holding.debit(quotaOf(1_000, 'tokens'), 100)));
    less?.settle(10);
    less?.settle(0);
    more?.settle(400);
    same?.settle();
    await holding.returnBalance();
    expect(counter.used).toBe(510);
    expect(holding.isEmpty).toBe(true);
  });

  it('returns nothing into a window that has begun since', async () => {
    const counter = new Counter();
    const quota = quotaOf(1_000, 'tokens');
    const holding = new LeasedQuota(quota, counter);
    const taken = await holding.debit(quota, 100);
    jest.spyOn(performance, 'now').mockReturnValue(counter.endsAt + 1);
    counter.beginWindow();
    await holding.debit(quota, 10);
    taken.settle(0);
    await holding.returnBalance();
    expect(counter.used).toBe(10);
  });

  it('lets in the limit again in the next window, by the monotonic clock', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(20), counter);
    const burst = () => admitted(times(50, () => () => holding.debit(quotaOf(20), 1)));
    expect(await burst()).toBe(20);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_000);
    expect(await burst()).toBe(0);
    jest.spyOn(performance, 'now').mockReturnValue(counter.endsAt + 1);
    counter.beginWindow();
    expect(await burst()).toBe(20);
  });

  it('asks again for a block whose answer got lost, and loses nothing of it', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(100), counter);
    counter.lost = 3;
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(holding.debit(quotaOf(100), 1)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    }
    await holding.debit(quotaOf(100), 1);
    await holding.returnBalance();
    expect(counter.used).toBe(1);
  });

  it('debits its balance while the usage service does not answer', async () => {
    const counter = new Counter();
    const holding = new LeasedQuota(quotaOf(100), counter);
    await holding.debit(quotaOf(100), 1);
    counter.lost = Number.POSITIVE_INFINITY;
    const results = await Promise.allSettled(times(30, async () => holding.debit(quotaOf(100), 1)));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(results.length - refused.length).toBeGreaterThan(5);
    for (const result of refused) expect(result).toMatchObject({ reason: { condition: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 } });
  });

  it('takes a request that is expected to take more than the whole limit for one that takes all of it', async () => {
    const quota = quotaOf(50, 'tokens');
    const holding = new LeasedQuota(quota, new Counter());
    await holding.debit(quota, 5_000);
    await expect(Promise.resolve(holding.debit(quota, 1))).rejects.toBeInstanceOf(QuotaExceededError);
  });
});

describe('QuotaReserver', () => {
  it('knows the leased balance of a quota, until it is debited or returned', async () => {
    const counter = new Counter();
    const reserver = new QuotaReserver(counter, log);
    const quota = quotaOf(1_000);
    expect(reserver.getLeasedBalance(quota)).toBe(0);
    await reserver.reserve([quota], { requests: 1 });
    expect(reserver.getLeasedBalance(quota)).toBe(counter.used - 1);
    await reserver.reserve([quota], { requests: 3 });
    expect(reserver.getLeasedBalance(quota)).toBe(counter.used - 4);
    expect(reserver.getLeasedBalance({ ...quota, id: 'other' })).toBe(0);
    await reserver.stop();
    expect([reserver.getLeasedBalance(quota), counter.used]).toEqual([0, 4]);
  });

  const log = createLogger({ service: 'test', level: 'silent' });

  it('takes of every quota or of none', async () => {
    const counter = new Counter();
    const reserver = new QuotaReserver(counter, log);
    const wide = quotaOf(100);
    const narrow = { ...quotaOf(1), id: 'w', kind: 'workspace' as const };
    // One counter for both: two units are used by each request, and the narrow one allows none after the first.
    counter.used = -1;
    await reserver.reserve([narrow], { requests: 1 });
    await expect(Promise.resolve().then(() => reserver.reserve([wide, narrow], { requests: 1 }))).rejects.toBeInstanceOf(
      QuotaExceededError,
    );
    await reserver.stop();
    expect(counter.settlements.reduce((sum, unused) => sum + unused)).toBeGreaterThan(0);
  });

  it('names the quota with the smallest share left', async () => {
    const reserver = new QuotaReserver(new Counter(), log);
    const wide = { ...quotaOf(100), id: 'w', kind: 'workspace' as const };
    const { tightestLimit } = await reserver.reserve([wide, quotaOf(1_000, 'tokens')], { requests: 1, tokens: 900 });
    expect(tightestLimit).toMatchObject({ limit: 1_000 });
    expect((await reserver.reserve([], { requests: 1 })).tightestLimit).toBeUndefined();
    await reserver.stop();
  });

  it('makes no call for a key without a quota of the metric', () => {
    const counter = new Counter();
    const reserver = new QuotaReserver(counter, log);
    expect(reserver.reserve([], { requests: 1 })).not.toBeInstanceOf(Promise);
    expect(reserver.reserve([quotaOf(1, 'tokens')], { requests: 1 })).not.toBeInstanceOf(Promise);
    expect(counter.leases).toBe(0);
    return reserver.stop();
  });
});
