import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { toUsageRecord } from '../src/domain/usage-record.ts';
import { type UsageServer } from '../src/server.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { ingestRecords } from '../src/store/ingest-records.ts';
import { entry, eventOf, expected } from './client-log.ts';
import { openFixture, report, type CallerIds } from './fixture.ts';

const [HERE, THERE] = [randomUUID(), randomUUID()];
const CALLERS: CallerIds[] = [
  { workspaceId: HERE, keyId: randomUUID() },
  { workspaceId: HERE, keyId: randomUUID() },
  { workspaceId: THERE, keyId: randomUUID() },
  { workspaceId: THERE, keyId: '' },
  { workspaceId: '', keyId: '' },
];

let fixture: Awaited<ReturnType<typeof openFixture>>;
let usage: UsageServer;
let database: Database;
let now = new Date();

beforeAll(async () => {
  fixture = await openFixture();
  usage = await fixture.start({}, { now: () => now });
  database = openDatabase(fixture.databaseUrl, createLogger({ service: 'usage', level: 'silent' }));
});
afterAll(async () => {
  await database?.close();
  await fixture?.close();
});

const byName = (a: { model: string }, b: { model: string }) => (a.model < b.model ? -1 : 1);

describe('the report', () => {
  it('equals the log for every caller and period, at any time', async () => {
    const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    const history = moment.chain((at) =>
      fc.tuple(fc.constant(at.getTime()), fc.array(entry(CALLERS.slice(0, 4), at.getTime()), { maxLength: 60 })),
    );
    await fc.assert(
      fc.asyncProperty(history, async ([at, log]) => {
        await fixture.sql.query('TRUNCATE usage_record, hourly_rollup, daily_rollup, connection_rollup');
        now = new Date(at);
        const records = log.flatMap((entry) => toUsageRecord(eventOf(entry), now) ?? []);
        await ingestRecords({ database }, records.slice(0, 20));
        await ingestRecords({ database }, records);
        for (const callerIds of CALLERS) {
          for (const period of ['24h', '7d', '30d']) {
            const found = await report(usage, callerIds, period);
            const wanted = expected(log, callerIds, period, at);
            found.byModel.sort(byName);
            wanted.byModel.sort(byName);
            expect(found).toEqual(wanted);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it.each(['', '1h', '30D', '7 d', "7d'"])('rejects the period "%s" and names the parameter', async (period) => {
    await expect(report(usage, { workspaceId: HERE, keyId: '' }, period)).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'period',
    });
  });
});
