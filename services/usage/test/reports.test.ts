import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { type Event } from '@parley/protos/events/v1/events';
import fc from 'fast-check';
import type pg from 'pg';
import { recordOf } from '../src/domain/usage-record.ts';
import { type UsageServer } from '../src/server.ts';
import { ingest } from '../src/store/ingest.ts';
import { openHouse, refusals, report, turn, type Who } from './usage-harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [HERE, THERE] = [randomUUID(), randomUUID()];
const CALLERS: Who[] = [
  { workspaceId: HERE, keyId: randomUUID() },
  { workspaceId: HERE, keyId: randomUUID() },
  { workspaceId: THERE, keyId: randomUUID() },
  { workspaceId: THERE, keyId: '' },
  { workspaceId: '', keyId: '' },
];

let house: Awaited<ReturnType<typeof openHouse>>;
let usage: UsageServer;
let pool: pg.Pool;
let now = new Date();

beforeAll(async () => {
  house = await openHouse();
  usage = await house.start({}, { now: () => now });
  pool = openPool({ url: house.databaseUrl, schema: 'usage', log: createLogger({ service: 'usage', level: 'silent' }), applicationName: 'usage-test' });
});
afterAll(async () => {
  await pool?.end();
  await house?.close();
});

/** One thing that happened, in the words of the client's own log. */
interface Entry {
  who: Who;
  at: number;
  model: string;
  kind: 'ok' | 'error' | 'limited' | 'refused';
  tokensIn: number;
  tokensOut: number;
}

const entry = (at: number): fc.Arbitrary<Entry> =>
  fc.record({
    who: fc.constantFrom(...CALLERS.slice(0, 4)),
    // Everywhere in the kept time, and dense around the edges of buckets and periods.
    at: fc.oneof(
      fc.nat(40 * DAY).map((ago) => at - ago),
      fc.tuple(fc.constantFrom(0, 1, 23, 24, 25, 7 * 24, 30 * 24), fc.integer({ min: -5, max: 5 })).map(([hours, ms]) => Math.min(at, at - hours * HOUR + ms)),
      fc.tuple(fc.nat(31), fc.integer({ min: -2, max: 2 })).map(([days, ms]) => Math.min(at, at - (at % DAY) - days * DAY + ms)),
    ),
    model: fc.constantFrom('a', 'b', 'модель', "'; DROP TABLE usage_record; --"),
    kind: fc.constantFrom('ok', 'error', 'limited', 'refused'),
    tokensIn: fc.nat(1_000_000),
    tokensOut: fc.nat(1_000_000),
  });

function eventOf({ who, at, kind, ...taken }: Entry): Event {
  if (kind === 'refused') return refusals(who, { at: new Date(at), errors: 1, rateLimited: 2 });
  const failure = { error: 'PROVIDER_TIMEOUT', limited: 'PROVIDER_RATE_LIMITED', ok: '' }[kind];
  return turn(who, { ...taken, endedAt: new Date(at), status: kind === 'ok' ? 'completed' : 'failed', errorCondition: failure, durationMs: 10 });
}

const sum = (entries: readonly Entry[], of: (entry: Entry) => number) => entries.reduce((total, entry) => total + of(entry), 0);
const requests = ({ kind }: Entry) => (kind === 'refused' ? 3 : 1);
const tokens = (side: 'tokensIn' | 'tokensOut') => (entry: Entry) => (entry.kind === 'refused' ? 0 : entry[side]);

/** The report as a person would work it out from the log. */
function expected(log: readonly Entry[], who: Who, period: string, at: number) {
  const midnight = at - (at % DAY);
  const since = { '24h': at - DAY - ((at - DAY) % HOUR), '7d': midnight - 6 * DAY, '30d': midnight - 29 * DAY }[period] ?? 0;
  const mine = log.filter((entry) => entry.at >= since && (who.keyId ? entry.who === who : !who.workspaceId || entry.who.workspaceId === who.workspaceId));
  const kinds = (kind: Entry['kind']) => mine.filter((entry) => entry.kind === kind).length;
  const models = [...new Set(mine.filter(({ kind }) => kind !== 'refused').map(({ model }) => model))];
  const days: string[] = [];
  for (let day = since - (since % DAY); day <= at; day += DAY) days.push(new Date(day).toISOString().slice(0, 10));
  return {
    period,
    scope: who.keyId ? 'api_key' : 'all',
    totalRequests: sum(mine, requests),
    successful: kinds('ok'),
    errors: kinds('error') + kinds('refused'),
    rateLimited: kinds('limited') + 2 * kinds('refused'),
    totalTokensIn: sum(mine, tokens('tokensIn')),
    totalTokensOut: sum(mine, tokens('tokensOut')),
    totalDurationMs: 10 * (mine.length - kinds('refused')),
    byModel: models.map((model) => {
      const its = mine.filter((entry) => entry.kind !== 'refused' && entry.model === model);
      return { model, requests: its.length, tokensIn: sum(its, tokens('tokensIn')), tokensOut: sum(its, tokens('tokensOut')) };
    }),
    byDay: days.map((date) => {
      const its = mine.filter((entry) => new Date(entry.at).toISOString().startsWith(date));
      return { date, requests: sum(its, requests), tokens: sum(its, tokens('tokensIn')) + sum(its, tokens('tokensOut')) };
    }),
  };
}

const byName = (a: { model: string }, b: { model: string }) => (a.model < b.model ? -1 : 1);

describe('the report', () => {
  it('equals what the log says, for every caller and period, at any time', async () => {
    const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    const history = moment.chain((at) => fc.tuple(fc.constant(at.getTime()), fc.array(entry(at.getTime()), { maxLength: 60 })));
    await fc.assert(
      fc.asyncProperty(history, async ([at, log]) => {
        await house.sql.query('TRUNCATE usage_record, hourly_rollup, daily_rollup');
        now = new Date(at);
        const records = log.flatMap((entry) => recordOf(eventOf(entry), now) ?? []);
        await ingest(pool, records.slice(0, 20));
        await ingest(pool, records);
        for (const who of CALLERS) {
          for (const period of ['24h', '7d', '30d']) {
            const found = await report(usage, who, period);
            const wanted = expected(log, who, period, at);
            found.byModel.sort(byName);
            wanted.byModel.sort(byName);
            expect(found).toEqual(wanted);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it.each(['', '1h', '30D', '7 d', "7d'"])('refuses the period "%s" and names the parameter', async (period) => {
    await expect(report(usage, { workspaceId: HERE, keyId: '' }, period)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'period' });
  });
});
