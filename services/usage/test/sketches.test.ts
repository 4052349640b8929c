import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { transaction } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { connect } from '@parley/kit/rpc/client';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Event } from '@parley/protos/events/v1/events';
import { type UsageGroup, UsageServiceService } from '@parley/protos/usage/v1/usage';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { toUsageRecord } from '../src/domain/usage-record.ts';
import { type UsageServer } from '../src/server.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { ingestRecords } from '../src/store/ingest-records.ts';
import { mergeHoursIntoDays, mergeSamplesIntoHours, SAMPLE_BATCH_SIZE } from '../src/store/sketches.ts';
import { SampleAggregator } from '../src/sweep/sample-aggregator.ts';
import { aggregateSketches } from '../src/sweep/sweeper.ts';
import { type CallerIds, openFixture, publish, speechJob, turn } from './fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: Awaited<ReturnType<typeof openFixture>>;
let database: Database;
let now = new Date();

beforeAll(async () => {
  fixture = await openFixture();
  database = openDatabase(fixture.databaseUrl, createLogger({ service: 'usage', level: 'silent' }));
});
afterEach(() => {
  now = new Date();
});
afterAll(async () => {
  await database?.close();
  await fixture?.close();
});

const someone = (): CallerIds => ({ workspaceId: randomUUID(), keyId: randomUUID() });
const recordsOf = (events: readonly Event[]) => events.flatMap((event) => toUsageRecord(event, now) ?? []);

async function groups(usage: UsageServer, workspaceId: string, by = 'key', period = '30d'): Promise<UsageGroup[]> {
  const stub = connect(UsageServiceService, usage.address);
  try {
    const caller = { workspaceId, keyId: '', userId: '', scopes: [], requestId: 'r' };
    return (await stub.listUsageGroups({ by, period, since: '', until: '', keyIds: [] }, { caller })).groups;
  } finally {
    stub.close();
  }
}

/** A report without what depends on the position of groups. */
const sorted = (found: readonly UsageGroup[]) => found.toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe('sketches', () => {
  it('count every turn once when all are delivered three times to two replicas that move samples at the same time', async () => {
    const [first, second] = await Promise.all([fixture.start(), fixture.start({ listen: '127.0.0.1:0' })]);
    const callerIds = someone();
    const failure = { status: 'failed', errorCondition: 'PROVIDER_TIMEOUT' };
    const events = Array.from({ length: 400 }, (_, index) =>
      turn(callerIds, { durationMs: index, ...(index % 2 === 0 && { firstTokenMs: index }), ...(index % 4 === 0 && failure) }),
    );
    for (const batch of [7, 50, 13]) {
      await publish(fixture.bus, events, batch);
      await Promise.all([groups(first, callerIds.workspaceId), groups(second, callerIds.workspaceId)]);
    }
    await publish(fixture.bus, [turn(callerIds, { model: 'last' })]);
    for (const usage of [first, second]) {
      await waitFor(async () => (await groups(usage, callerIds.workspaceId, 'model')).some(({ id }) => id === 'last'));
      for (const by of ['workspace', 'key']) {
        const [group] = await groups(usage, callerIds.workspaceId, by);
        expect(group).toMatchObject({ requests: 401, duration: { count: 401 }, firstToken: { count: 200 } });
        expect(group?.errorsByCode).toEqual([{ code: 'PROVIDER_TIMEOUT', count: 100 }]);
      }
    }
  });

  it('have the percentiles of the turns, before and after their hours were moved to their days', async () => {
    const usage = await fixture.start({}, { now: () => now });
    const spent = fc.record({ ago: fc.nat(29 * DAY), ms: fc.integer({ min: 0, max: 300_000 }), model: fc.constantFrom('a', 'b') });
    await fc.assert(
      fc.asyncProperty(fc.array(spent, { minLength: 1, maxLength: 80 }), async (log) => {
        const callerIds = someone();
        const late = log.length >> 1;
        const records = recordsOf(
          log.map(({ ago, ms, model }) =>
            turn(callerIds, { endedAt: new Date(now.getTime() - ago), durationMs: ms, firstTokenMs: ms, model }),
          ),
        );
        await ingestRecords({ database }, records.slice(0, late));
        await aggregateSketches({ database }, now);
        // Turns of days that were moved already, and all once more.
        await ingestRecords({ database }, records);
        const before = await Promise.all(['model', 'day'].map((by) => groups(usage, callerIds.workspaceId, by)));
        for (const { id, duration, firstToken } of before[0] ?? []) {
          const exact = log
            .filter(({ model }) => model === id)
            .map(({ ms }) => ms)
            .toSorted((a, b) => a - b);
          expect(firstToken).toEqual(duration);
          expect(duration?.count).toBe(exact.length);
          for (const [quantile, found = Number.NaN] of [
            [0.5, duration?.p50Ms],
            [0.9, duration?.p90Ms],
            [0.95, duration?.p95Ms],
            [0.99, duration?.p99Ms],
          ] as const) {
            const ms = exact[Math.floor(quantile * (exact.length - 1))] ?? Number.NaN;
            expect(Math.abs(found - ms)).toBeLessThanOrEqual(0.02 * ms);
          }
        }
        await aggregateSketches({ database }, now);
        expect(await Promise.all(['model', 'day'].map((by) => groups(usage, callerIds.workspaceId, by)))).toEqual(before);
      }),
      { numRuns: 12 },
    );
    const { rows } = await fixture.sql.query<{ hours: number }>('SELECT count(*)::int AS hours FROM hourly_sketch WHERE hour < $1', [
      new Date(now.getTime() - 50 * HOUR),
    ]);
    expect(rows).toEqual([{ hours: 0 }]);
  });

  it('keep every count while replicas move, sum up and report at the same time', async () => {
    const usage = await fixture.start({}, { now: () => now });
    const callerIds = someone();
    const code = { status: 'failed', errorCondition: 'PROVIDER_UNAVAILABLE' };
    const records = recordsOf([
      ...Array.from({ length: 300 }, (_, index) =>
        turn(callerIds, { endedAt: new Date(now.getTime() - index * 2 * HOUR), ...(index < 3 && code) }),
      ),
      speechJob(callerIds, code),
    ]);
    const work = Array.from({ length: 6 }, async (_, at) => {
      await ingestRecords({ database }, records.slice(at * 50));
      await Promise.all([mergeSamplesIntoHours({ database }), mergeHoursIntoDays({ database }, now), groups(usage, callerIds.workspaceId)]);
    });
    await Promise.all(work);
    const [group] = await groups(usage, callerIds.workspaceId);
    expect(group).toMatchObject({ requests: 301, duration: { count: 300 } });
    // Work that is no chat turn has errors, and no latencies.
    expect(group?.errorsByCode).toEqual([{ code: 'PROVIDER_UNAVAILABLE', count: 4 }]);
    expect(sorted(await groups(usage, callerIds.workspaceId, 'model')).map(({ id, duration }) => [id, duration?.count])).toEqual([
      ['sandbox-1', 300],
      ['tts-1', 0],
    ]);
  });

  it('count nothing twice when a replica adds to the sketch that another moves', async () => {
    const callerIds = someone();
    const one = () => ingestRecords({ database }, recordsOf([turn(callerIds, { endedAt: new Date(now.getTime() - 1) })]));
    await one();
    await aggregateSketches({ database }, now);
    await one();
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const moves: Promise<number>[] = [];
    await transaction(database.pool, async (client) => {
      await client.query('SELECT 1 FROM hourly_sketch WHERE workspace_id = $1 FOR UPDATE', [callerIds.workspaceId]);
      for (const move of [() => mergeHoursIntoDays({ database }, now), () => mergeSamplesIntoHours({ database })]) {
        moves.push(move());
        await waitFor(async () => (await fixture.sql.query(waiting)).rows.length === moves.length);
      }
    });
    await Promise.all(moves);
    const usage = await fixture.start({}, { now: () => now });
    expect(await groups(usage, callerIds.workspaceId)).toMatchObject([{ requests: 2, duration: { count: 2 } }]);
  });

  it('move in the background once a batch of records was counted, and not before', async () => {
    const callerIds = someone();
    const samples = new SampleAggregator({ store: { database }, log: createLogger({ service: 'usage', level: 'silent' }) });
    const left = async () => (await fixture.sql.query('SELECT 1 FROM usage_sample WHERE key_id = $1', [callerIds.keyId])).rows.length;
    await ingestRecords({ database }, recordsOf([turn(callerIds)]));
    samples.countRecords(SAMPLE_BATCH_SIZE - 1);
    await samples.stop();
    expect(await left()).toBe(1);
    const again = new SampleAggregator({ store: { database }, log: createLogger({ service: 'usage', level: 'silent' }) });
    again.countRecords(SAMPLE_BATCH_SIZE - 1);
    again.countRecords(1);
    await again.stop();
    expect(await left()).toBe(0);
  });
});
