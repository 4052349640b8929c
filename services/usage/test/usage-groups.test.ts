import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { connect } from '@parley/kit/rpc/client';
import { estimateSpeechMs } from '@parley/protos/quotas';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import { randomUUID } from 'node:crypto';
import { toUsageRecord } from '../src/domain/usage-record.ts';
import { type UsageServer } from '../src/server.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { ingestRecords } from '../src/store/ingest-records.ts';
import { openFixture, refusals, speech, speechJob, transcription, turn } from './fixture.ts';

const NOW = new Date('2026-06-15T12:30:00Z');
const HOUR = 3_600_000;
const workspaceId = randomUUID();
const [one, other] = [
  { workspaceId, keyId: randomUUID() },
  { workspaceId, keyId: randomUUID() },
];
const stranger = { workspaceId: randomUUID(), keyId: randomUUID() };

let fixture: Awaited<ReturnType<typeof openFixture>>;
let usage: UsageServer;
let database: Database;

beforeAll(async () => {
  fixture = await openFixture();
  usage = await fixture.start({}, { now: () => NOW });
  database = openDatabase(fixture.databaseUrl, createLogger({ service: 'usage', level: 'silent' }));
  const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);
  const events = [
    turn(one, { endedAt: ago(1), model: 'a', connectionId: 'c1', firstTokenMs: 7 }),
    turn(one, { endedAt: ago(2), model: 'b', connectionId: 'c1', status: 'failed', errorCondition: 'PROVIDER_TIMEOUT' }),
    turn(other, { endedAt: ago(3), model: 'a', connectionId: 'c2' }),
    turn(other, { endedAt: ago(100), model: 'a', connectionId: 'c2' }),
    turn(stranger, { endedAt: ago(1), model: 'a', connectionId: 'c1' }),
    refusals(one, { at: ago(1), errors: 1, rateLimited: 1 }),
  ];
  const records = events.flatMap((event) => toUsageRecord(event, NOW) ?? []);
  // An event that arrives again counts once.
  await ingestRecords({ database }, records);
  await ingestRecords({ database }, records);
});
afterAll(async () => {
  await database?.close();
  await fixture?.close();
});

interface Asked {
  keyId?: string;
  workspace?: string;
  keyIds?: string[];
  since?: string;
  until?: string;
}

async function groups(
  by: string,
  period: string,
  { keyId = '', workspace = workspaceId, keyIds = [], since = '', until = '' }: Asked = {},
) {
  const stub = connect(UsageServiceService, usage.address);
  try {
    const caller = { workspaceId: workspace, keyId, userId: '', scopes: [], requestId: 'r' };
    return (await stub.listUsageGroups({ by, period, since, until, keyIds }, { caller, deadlineMs: 60_000 })).groups;
  } finally {
    stub.close();
  }
}

/** The percentiles of turns that took equally long. */
const took = (count: number, ms: number) => ({ count, p50Ms: ms, p90Ms: ms, p95Ms: ms, p99Ms: ms });

describe('the usage of a workspace', () => {
  it.each(['24h', '7d', '30d'])('is summed by key, with most requests first (%s)', async (period) => {
    const ofOther = period === '24h' ? 1 : 2;
    expect(await groups('key', period)).toEqual([
      {
        ...{
          id: one.keyId,
          workspaceId,
          requests: 4,
          successful: 1,
          errors: 2,
          rateLimited: 1,
          tokensIn: 6,
          tokensOut: 10,
          durationMs: 40,
          audioMs: 0,
        },
        ...{ errorsByCode: [{ code: 'PROVIDER_TIMEOUT', count: 1 }], duration: took(2, 20), firstToken: took(1, 7) },
      },
      {
        ...{ id: other.keyId, workspaceId, requests: ofOther, successful: ofOther, errors: 0, rateLimited: 0 },
        ...{ tokensIn: 3 * ofOther, tokensOut: 5 * ofOther, durationMs: 20 * ofOther, audioMs: 0 },
        ...{ errorsByCode: [], duration: took(ofOther, 20), firstToken: took(0, 0) },
      },
    ]);
  });

  it.each(['24h', '30d'])('is that of chosen keys, which only the sums by key can tell (%s)', async (period) => {
    const ids = (found: { id: string }[]) => found.map(({ id }) => id);
    expect(ids(await groups('key', period, { keyIds: [other.keyId, stranger.keyId] }))).toEqual([other.keyId]);
    await expect(groups('model', period, { keyIds: [other.keyId] })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(groups('key', period, { keyIds: ['x'] })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });

  it.each([
    ['24h', 4, 5],
    ['7d', 5, 6],
    ['30d', 5, 6],
  ])('is summed by workspace, of one or of all (%s)', async (period, ofOne, ofAll) => {
    const turns = ofOne - 1;
    expect(await groups('workspace', period)).toMatchObject([{ id: workspaceId, requests: ofOne + 1, duration: took(turns, 20) }]);
    const all = await groups('workspace', period, { workspace: '' });
    expect(all.map(({ id, requests }) => [id, requests])).toEqual([
      [workspaceId, ofOne + 1],
      [stranger.workspaceId, 1],
    ]);
    const models = await groups('model', period, { workspace: '' });
    expect(models.reduce((sum, { duration }) => sum + (duration?.count ?? 0), 0)).toBe(ofAll - 1);
    expect((await groups('key', period, { workspace: '' })).map((group) => group.workspaceId)).toContain(stranger.workspaceId);
  });

  it('is summed by hour and by day, in their order, also those without requests', async () => {
    const hours = await groups('hour', '24h');
    expect(hours.map(({ id }) => id).slice(0, 2)).toEqual(['2026-06-14T12:00:00Z', '2026-06-14T13:00:00Z']);
    expect(hours).toHaveLength(25);
    expect(hours.filter(({ requests }) => requests > 0).map(({ id, requests, duration }) => [id, requests, duration?.count])).toEqual([
      ['2026-06-15T09:00:00Z', 1, 1],
      ['2026-06-15T10:00:00Z', 1, 1],
      ['2026-06-15T11:00:00Z', 3, 1],
    ]);
    const days = await groups('day', '7d');
    expect(days.map(({ id, requests, duration }) => [id, requests, duration?.count])).toEqual([
      ...['2026-06-09', '2026-06-10'].map((day) => [day, 0, 0]),
      ['2026-06-11', 1, 1],
      ...['2026-06-12', '2026-06-13', '2026-06-14'].map((day) => [day, 0, 0]),
      ['2026-06-15', 5, 3],
    ]);
    expect((await groups('day', '24h')).map(({ id, requests }) => [id, requests])).toEqual([
      ['2026-06-14', 0],
      ['2026-06-15', 5],
    ]);
  });

  it('is summed by model; refusals before a model was known are in the group without a name', async () => {
    const found = (await groups('model', '7d')).map(({ id, requests }) => [id, requests]);
    expect(found).toEqual([
      ['a', 3],
      ['', 2],
      ['b', 1],
    ]);
  });

  it.each([
    ['24h', 1],
    ['7d', 2],
    ['30d', 2],
  ])('is summed by connection, without work that had none (%s)', async (period, ofSecond) => {
    expect(
      (await groups('connection', period)).map(({ id, requests, errors, duration }) => [id, requests, errors, duration?.count]),
    ).toEqual([
      ['c1', 2, 1, 2],
      ['c2', ofSecond, 0, ofSecond],
    ]);
  });

  it('has the audio of what was completed, whatever the groups are', async () => {
    const speaker = { workspaceId: randomUUID(), keyId: randomUUID() };
    const at = NOW;
    const failed = { status: 'failed', errorCondition: 'PROVIDER_TIMEOUT' };
    const events = [
      speechJob(speaker, { at, audioMs: 3_000 }),
      speechJob(speaker, { at, audioMs: 9_000, ...failed }),
      transcription(speaker, { at, audioMs: 2_500 }),
      speech(speaker, { at, inputCharacters: 40 }),
    ];
    await ingestRecords(
      { database },
      events.flatMap((event) => toUsageRecord(event, NOW) ?? []),
    );
    const sum = 5_500 + estimateSpeechMs(40);
    for (const [by, period] of [
      ['workspace', '24h'],
      ['key', '7d'],
      ['day', '30d'],
      ['model', '7d'],
      ['hour', '24h'],
    ] as const) {
      const found = await groups(by, period, { workspace: speaker.workspaceId });
      expect([by, found.reduce((all, { audioMs }) => all + audioMs, 0)]).toEqual([by, sum]);
    }
  });

  it('is that of chosen days, both included', async () => {
    const found = await groups('day', '', { since: '2026-06-11', until: '2026-06-13' });
    expect(found.map(({ id, requests, duration }) => [id, requests, duration?.count])).toEqual([
      ['2026-06-11', 1, 1],
      ['2026-06-12', 0, 0],
      ['2026-06-13', 0, 0],
    ]);
    expect((await groups('key', '', { since: '2026-06-15', until: '2026-06-15' })).map(({ requests }) => requests)).toEqual([4, 1]);
    const [second] = (await groups('connection', '', { since: '2026-06-10', until: '2026-06-14' })).map(({ id, requests }) => [
      id,
      requests,
    ]);
    expect(second).toEqual(['c2', 1]);
  });

  it.each([
    ['days in the wrong order', { since: '2026-06-12', until: '2026-06-11' }],
    ['more days than are kept', { since: '2025-05-01', until: '2026-06-15' }],
    ['a day that is none', { since: '2026-02-30', until: '2026-06-15' }],
    ['half of a choice', { since: '2026-06-11' }],
  ])('refuses %s', async (_what, days) => {
    await expect(groups('key', '', days)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'since' });
    await expect(groups('key', '7d', { since: '2026-06-11', until: '2026-06-12' })).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
    });
  });

  it('is for the operator only, and for known groups and periods', async () => {
    await expect(groups('key', '7d', one)).rejects.toMatchObject({ condition: 'TENANT_ACCESS_DENIED' });
    await expect(groups('user', '7d')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'by' });
    await expect(groups('key', '1y')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'period' });
    await expect(groups('hour', '7d')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'period' });
  });
});
