import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { randomUUID } from 'node:crypto';
import { actionRun, openFixture, publish, publishBytes, refusals, report, speech, speechJob, transcription, turn } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture?.close());

const someone = () => ({ workspaceId: randomUUID(), keyId: randomUUID() });
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

describe('usage from events', () => {
  it('counts turns and refusals of a key', async () => {
    const usage = await fixture.start();
    const callerIds = someone();
    await publish(fixture.bus, [
      turn(callerIds),
      turn(callerIds, { model: 'other', status: 'interrupted', tokensOut: 2 }),
      turn(callerIds, { status: 'interrupted', tokensOut: 0 }),
      turn(callerIds, { status: 'failed', errorCondition: 'PROVIDER_RATE_LIMITED', tokensOut: 0 }),
      turn(callerIds, { status: 'failed', errorCondition: 'PROVIDER_TIMEOUT', tokensOut: 0 }),
    ]);
    await publish(fixture.bus, [refusals(callerIds, { errors: 2, rateLimited: 7 })]);
    const found = await waitFor(async () => {
      const now = await report(usage, callerIds, '24h');
      return now.totalRequests === 14 ? now : undefined;
    });
    expect(found).toMatchObject({ period: '24h', scope: 'api_key', successful: 2, errors: 4, rateLimited: 8 });
    expect(found).toMatchObject({ totalTokensIn: 15, totalTokensOut: 7, totalDurationMs: 100 });
    expect(found.byModel).toEqual([
      { model: 'sandbox-1', requests: 4, tokensIn: 12, tokensOut: 5 },
      { model: 'other', requests: 1, tokensIn: 3, tokensOut: 2 },
    ]);
    await expect(report(usage, someone())).resolves.toMatchObject({ totalRequests: 0, byModel: [] });
  });

  it('counts speech jobs, synchronous speech and transcriptions once each when they are redelivered to two replicas', async () => {
    const [first] = await Promise.all([fixture.start(), fixture.start()]);
    const callerIds = someone();
    const before = await fixture.stored();
    const jobs = [
      ...['queued', 'queued', 'completed', 'completed', 'cancelled'].map((status) => speechJob(callerIds, { status })),
      speechJob(callerIds, { status: 'failed', errorCondition: 'PROVIDER_UNAVAILABLE' }),
      speechJob(callerIds, { status: 'failed', errorCondition: 'PROVIDER_RATE_LIMITED' }),
    ];
    const speeches = [speech(callerIds), speech(callerIds, { status: 'failed', errorCondition: 'PROVIDER_BAD_ANSWER' })];
    const transcriptions = [transcription(callerIds), transcription(callerIds, { status: 'failed', errorCondition: 'PROVIDER_TIMEOUT' })];
    for (const batch of [1, 3, 10]) {
      await publish(fixture.bus, shuffled(jobs), batch);
      await publish(fixture.bus, shuffled(speeches), batch);
      await publish(fixture.bus, shuffled(transcriptions), batch);
    }
    await publish(fixture.bus, [speechJob(callerIds, { model: 'last' })]);
    await publish(fixture.bus, [speech(callerIds, { model: 'last' })]);
    await publish(fixture.bus, [transcription(callerIds, { model: 'last' })]);
    const found = await waitFor(async () => {
      const now = await report(first, callerIds);
      const isOver = now.byModel.some(({ model, requests }) => model === 'last' && requests === 3);
      return isOver && now.totalRequests >= 12 ? now : undefined;
    });
    expect(found).toMatchObject({ totalRequests: 12, successful: 8, errors: 3, rateLimited: 1, totalTokensIn: 0, totalTokensOut: 0 });
    expect(found.totalDurationMs).toBe(240);
    expect(found.byModel.map(({ model, requests }) => [model, requests])).toEqual([
      ['tts-1', 7],
      ['last', 3],
      ['whisper-1', 2],
    ]);
    await expect(fixture.stored()).resolves.toMatchObject({ records: (before?.records ?? 0) + 12 });
  });

  it('counts action runs once each, when they end', async () => {
    const usage = await fixture.start();
    const callerIds = someone();
    const runs = [
      ...['accepted', 'succeeded', 'cancelled'].map((status) => actionRun(callerIds, { status })),
      actionRun(callerIds, { status: 'failed', errorCondition: 'ACTION_STEP_FAILED' }),
      actionRun(callerIds, { status: 'needs_review' }),
      actionRun(callerIds, { status: 'failed', errorCondition: 'PROVIDER_RATE_LIMITED' }),
    ];
    for (const batch of [1, 4]) await publish(fixture.bus, shuffled(runs), batch);
    await publish(fixture.bus, [actionRun(callerIds, { slug: 'last' })]);
    const found = await waitFor(async () => {
      const now = await report(usage, callerIds);
      return now.byModel.some(({ model }) => model === 'action:last') && now.totalRequests >= 6 ? now : undefined;
    });
    expect(found).toMatchObject({ totalRequests: 6, successful: 3, errors: 2, rateLimited: 1, totalTokensIn: 0, totalDurationMs: 120 });
    expect(found.byModel.map(({ model, requests }) => [model, requests])).toEqual([
      ['action:tidy-up', 5],
      ['action:last', 1],
    ]);
  });

  it('counts every event once when all are delivered three times in different batches to two replicas', async () => {
    const [first, second] = await Promise.all([fixture.start(), fixture.start({ listen: '127.0.0.1:0' })]);
    const callerIds = someone();
    const before = await fixture.stored();
    const events = Array.from({ length: 600 }, (_, index) => turn(callerIds, { model: `m${index % 3}`, tokensIn: index, tokensOut: 1 }));
    for (const batch of [7, 50, 13]) await publish(fixture.bus, shuffled(events), batch);
    await publish(fixture.bus, [...events.slice(0, 20), ...events.slice(0, 20)], 40);
    const marker = turn(callerIds, { model: 'last' });
    await publish(fixture.bus, [marker]);
    const totalTokensIn = (600 * 599) / 2 + 3;
    for (const server of [first, second]) {
      const found = await waitFor(async () => {
        const now = await report(server, callerIds);
        return now.byModel.some(({ model }) => model === 'last') ? now : undefined;
      });
      expect(found).toMatchObject({ totalRequests: 601, successful: 601, totalTokensIn, totalTokensOut: 605 });
    }
    await expect(fixture.stored()).resolves.toMatchObject({ records: (before?.records ?? 0) + 601 });
  });

  it('continues after a restart', async () => {
    const callerIds = someone();
    const usage = await fixture.start();
    await publish(fixture.bus, [turn(callerIds)]);
    await waitFor(async () => (await report(usage, callerIds)).totalRequests === 1);
    await usage.drain();
    await publish(fixture.bus, [turn(callerIds), turn(callerIds)]);
    const again = await fixture.start();
    await waitFor(async () => (await report(again, callerIds)).totalRequests === 3);
  });

  it('skips unreadable events and counts the others of their batch', async () => {
    const usage = await fixture.start();
    const callerIds = someone();
    await publishBytes(fixture.bus, EVENT_SUBJECTS.turnFailed, new Uint8Array([0xff, 0xff, 0xff]));
    await publishBytes(fixture.bus, EVENT_SUBJECTS.turnFailed, EventBatch.encode({ events: [] }).finish());
    await publish(fixture.bus, [
      { ...turn(callerIds), id: 'no uuid' },
      turn({ ...callerIds, workspaceId: 'w1' }),
      { id: randomUUID() },
      turn(callerIds, { model: 'a\0b' }),
    ]);
    const found = await waitFor(async () => {
      const now = await report(usage, callerIds);
      return now.totalRequests > 0 ? now : undefined;
    });
    expect(found.byModel).toEqual([{ model: 'ab', requests: 1, tokensIn: 3, tokensOut: 5 }]);
  });
});
