import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { createTestDatabase, type TestDatabase } from '@parley/kit/testing/database';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type ThrottleStoreLocation } from '../src/config/fields.ts';
import { SCHEMA } from '../src/store/client.ts';
import { sweepThrottleCounters, ThrottleCounters } from '../src/store/throttle-counters.ts';
import { API_KEY, call, captureLog, type TestFixture, startFixture } from './harness.ts';
import { HAS_REDIS, startRedis } from './redis-server.ts';

const LIMIT = 40;
const POLICY = { points: LIMIT, seconds: 3_600, text: `${LIMIT} per 1 hour` };
const ASKED = 3 * LIMIT;
const AT_ONCE = 20;
/** Any throttled operation: this one ends at validation, which stands behind the throttle. */
const OPERATION = '/v1/projects';
const BEHIND_THROTTLE = 422;
/** On a busy machine a key would otherwise be looked for too long. */
const KEY_TIMES = { maxAgeMs: 3_600_000, refreshMs: 3_600_000, readTimeoutMs: 60_000 };

describe('a limit over two edges', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createTestDatabase()));
  afterAll(() => database.drop());

  /** A store on a busy machine is slow, but not away. */
  const startEdge = (throttleStore: ThrottleStoreLocation, throttleStoreWaitMs = 10_000) =>
    startFixture(
      {
        databaseUrl: database.url,
        throttle: { rate_limit: POLICY, upload_rate_limit: POLICY, tts_rate_limit: POLICY },
        throttleStore,
        throttleStoreWaitMs,
        trustedProxies: ['127.0.0.1'],
      },
      { cacheTimes: KEY_TIMES },
    );

  async function ask({ edge }: TestFixture, client: string) {
    const headers = { 'x-forwarded-for': client };
    return call(`${edge.url}${OPERATION}`, { method: 'POST', key: API_KEY, body: {}, headers });
  }

  /** Asks both edges in turns, many times at once; gives how many requests were let through. */
  async function admittedBy(fixtures: readonly TestFixture[], client: string): Promise<number> {
    const answers: number[] = [];
    let next = 0;
    const worker = async () => {
      while (next < ASKED) {
        const fixture = fixtures[next++ % fixtures.length];
        if (fixture) answers.push((await ask(fixture, client)).status);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(answers).toHaveLength(ASKED);
    const admitted = answers.filter((status) => status === BEHIND_THROTTLE).length;
    expect(answers.filter((status) => status === 429)).toHaveLength(ASKED - admitted);
    return admitted;
  }

  it('holds for each of them where each counts for itself', async () => {
    await using one = await startEdge('memory');
    await using other = await startEdge('memory');
    expect(await admittedBy([one, other], '192.0.2.1')).toBe(2 * LIMIT);
  });

  it('holds exactly where they share their counters in PostgreSQL', async () => {
    await using one = await startEdge('postgres');
    await using other = await startEdge('postgres');
    expect(await admittedBy([one, other], '192.0.2.1')).toBe(LIMIT);
    expect((await ask(other, '192.0.2.2')).headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1));
    const { status, headers } = await ask(other, '192.0.2.1');
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await one.edge.ready()).checks['throttle-store']).toMatchObject({ ok: true });
  });

  it('holds for each of them while the counters cannot be reached, and no request waits long', async () => {
    await using one = await startEdge('postgres', 100);
    const pool = openPool({ url: database.url, schema: SCHEMA, log: captureLog().log, applicationName: 'test' });
    const client = await pool.connect();
    const said = (msg: string) => one.lines.filter((line) => line['msg'] === msg);
    await client.query('BEGIN; LOCK TABLE throttle_counters IN ACCESS EXCLUSIVE MODE');
    expect(await admittedBy([one], '192.0.2.3')).toBe(LIMIT);
    expect(said('throttle counters are not shared: each edge counts by itself')).toHaveLength(1);
    expect(await one.edge.ready()).toMatchObject({ ready: true, checks: { 'throttle-store': { ok: false } } });
    await client.query('COMMIT');
    client.release();
    await pool.end();
    await waitFor(async () => (await ask(one, '192.0.2.4')) && said('throttle counters are shared again').length === 1);
  });

  const withRedis = HAS_REDIS ? it : it.skip;
  withRedis('holds exactly where they share their counters in Redis, and for each of them while it is away', async () => {
    await using redis = await startRedis();
    await using one = await startEdge(new URL(redis.url));
    await using other = await startEdge(new URL(redis.url));
    expect(await admittedBy([one, other], '192.0.2.5')).toBe(LIMIT);
    await redis.stop();
    expect(await admittedBy([one, other], '192.0.2.6')).toBe(2 * LIMIT);
    expect(await one.edge.ready()).toMatchObject({ ready: true, checks: { 'throttle-store': { ok: false } } });
    await redis.start();
    await waitFor(async () => (await one.edge.ready()).checks['throttle-store']?.ok);
    await waitFor(async () => (await ask(one, '192.0.2.7')) && one.lines.some(({ msg }) => msg === 'throttle counters are shared again'));
  });

  it('starts without its Redis', async () => {
    await using one = await startEdge(new URL('redis://127.0.0.1:1'));
    expect((await ask(one, '192.0.2.8')).status).toBe(BEHIND_THROTTLE);
    expect(await one.edge.ready()).toMatchObject({ ready: true, checks: { 'throttle-store': { ok: false } } });
  });

  describe('in the database', () => {
    let pool: ReturnType<typeof openPool>;
    beforeAll(async () => {
      await using _edge = await startEdge('postgres');
      pool = openPool({ url: database.url, schema: SCHEMA, log: captureLog().log, applicationName: 'test' });
    });
    afterAll(() => pool.end());
    const counters = (name: string, seconds: number) => new ThrottleCounters(pool, { name, points: 2, seconds });

    it('is by the clock of the database: an edge whose clock is wrong opens and closes nothing', async () => {
      await counters('clock', 60).consume('a');
      const wrong = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_000);
      expect((await counters('clock', 60).consume('a')).msBeforeNext).toBeLessThanOrEqual(60_000);
      wrong.mockRestore();
      await expect(counters('clock', 60).consume('a')).rejects.toMatchObject({ remainingPoints: 0 });
    });

    it('begins anew when its window is over, or is longer than any can be', async () => {
      const move = (by: string) => pool.query(`UPDATE throttle_counters SET ends_at = now() + $1::interval WHERE key = 'move:a'`, [by]);
      for (const by of ['-1 s', '2 h']) {
        await counters('move', 60).consume('a');
        await move(by);
        expect(await counters('move', 60).consume('a')).toMatchObject({ remainingPoints: 1, isFirstInDuration: true });
        await move('-1 s');
      }
    });

    it('is forgotten when its window is long over', async () => {
      await counters('old', 60).consume('a');
      await counters('young', 60).consume('a');
      await pool.query(`UPDATE throttle_counters SET ends_at = now() - interval '2 minutes' WHERE key = 'old:a'`);
      await sweepThrottleCounters(pool);
      const { rows } = await pool.query<{ key: string }>(`SELECT key FROM throttle_counters WHERE key IN ('old:a', 'young:a')`);
      expect(rows).toEqual([{ key: 'young:a' }]);
    });
  });
});
