import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { connect, type Stub } from '@parley/kit/rpc/client';
import { waitFor } from '@parley/kit/testing/wait-for';
import { estimateSpeechMs } from '@parley/protos/quotas';
import { type LeaseQuotaRequest, UsageServiceService } from '@parley/protos/usage/v1/usage';
import { randomUUID } from 'node:crypto';
import { openFixture, publish, speechJob } from './fixture.ts';

const INIT = { caller: SYSTEM_CALLER };
/** Longer than any test. */
const LONG = 400 * 86_400;

let fixture: Awaited<ReturnType<typeof openFixture>>;
let usage: Stub<typeof UsageServiceService>;
let other: Stub<typeof UsageServiceService>;
beforeAll(async () => {
  fixture = await openFixture();
  const [first, second] = [await fixture.start(), await fixture.start({ listen: '127.0.0.1:0' })];
  usage = connect(UsageServiceService, first.address);
  other = connect(UsageServiceService, second.address);
});
afterAll(async () => {
  usage?.close();
  other?.close();
  await fixture?.close();
});

const subjectOf = (id: string, metric = 'requests', kind = 'key') => ({ kind, id, metric });
const demand = (id: string, part: Partial<LeaseQuotaRequest> = {}): LeaseQuotaRequest => ({
  ...{ leaseId: randomUUID(), move: 1, subject: subjectOf(id), limit: 100, windowSeconds: LONG, needed: 1, wanted: 10 },
  ...part,
});
const used = async (id: string, metric = 'requests') => {
  const { rows } = await fixture.sql.query<{ used: number }>('SELECT used::int FROM quota_counter WHERE subject_id = $1 AND metric = $2', [
    id,
    metric,
  ]);
  return rows.map((row) => row.used);
};

describe('quotas', () => {
  it('grant what is wanted, and less near the limit, down to the last unit', async () => {
    const id = randomUUID();
    const grants: number[] = [];
    while (grants.at(-1) !== 0) grants.push((await usage.leaseQuota(demand(id), INIT)).granted);
    expect(grants.slice(0, 4)).toEqual([10, 10, 10, 9]);
    expect(grants.slice(-3)).toEqual([1, 1, 0]);
    expect(grants.reduce((sum, granted) => sum + granted)).toBe(100);
  });

  it('report what is left for further blocks, also when a move is repeated', async () => {
    const id = randomUUID();
    const first = demand(id);
    expect(await usage.leaseQuota(first, INIT)).toMatchObject({ granted: 10, left: 90 });
    expect(await other.leaseQuota(demand(id, { needed: 30 }), INIT)).toMatchObject({ granted: 30, left: 60 });
    expect(await usage.leaseQuota(first, INIT)).toMatchObject({ granted: 10, left: 60 });
    expect(await usage.leaseQuota(demand(id, { needed: 61 }), INIT)).toMatchObject({ granted: 0, left: 60 });
  });

  it('never grant more than the limit to many holders at two replicas', async () => {
    const id = randomUUID();
    const take = async (n: number) => {
      const stub = n % 2 === 0 ? usage : other;
      let taken = 0;
      for (let granted = -1; granted !== 0; taken += granted) {
        ({ granted } = await stub.leaseQuota(demand(id, { limit: 300, wanted: 30, needed: (n % 3) + 1 }), INIT));
      }
      return taken;
    };
    const taken = await Promise.all(Array.from({ length: 6 }, (_, n) => take(n)));
    expect(taken.reduce((sum, part) => sum + part)).toBe(300);
    expect(await used(id)).toEqual([300]);
  });

  it('are separate for each subject, metric and window length', async () => {
    const id = randomUUID();
    const all = { limit: 1, needed: 1 };
    const kinds = [subjectOf(id), subjectOf(id, 'tokens'), subjectOf(id, 'audio_ms'), subjectOf(id, 'requests', 'workspace')];
    for (const subject of kinds) expect(await usage.leaseQuota(demand(id, { ...all, subject }), INIT)).toMatchObject({ granted: 1 });
    expect(await usage.leaseQuota(demand(id, { ...all, windowSeconds: LONG + 1 }), INIT)).toMatchObject({ granted: 1 });
    expect(await usage.leaseQuota(demand(id, all), INIT)).toMatchObject({ granted: 0 });
  });

  it('say how much of each is used in its current window, in the order in which they are named', async () => {
    const [id, none] = [randomUUID(), randomUUID()];
    await usage.leaseQuota(demand(id), INIT);
    await usage.leaseQuota(demand(id, { subject: subjectOf(id, 'tokens'), windowSeconds: 86_400, needed: 70 }), INIT);
    const asked = [
      { subject: subjectOf(none), windowSeconds: LONG },
      { subject: subjectOf(id, 'tokens'), windowSeconds: 86_400 },
      { subject: subjectOf(id), windowSeconds: LONG },
      { subject: subjectOf(id), windowSeconds: 60 },
      { subject: subjectOf(id, 'requests', 'workspace'), windowSeconds: LONG },
    ];
    const { uses } = await other.listQuotaUse({ quotas: asked }, INIT);
    expect(uses.map((use) => use.used)).toEqual([0, 70, 10, 0, 0]);
    expect(
      uses.map(({ windowEndsInMs }, index) => windowEndsInMs > 0 && windowEndsInMs <= (asked[index]?.windowSeconds ?? 0) * 1_000),
    ).not.toContain(false);
    const wrong = { subject: subjectOf(id, 'money'), windowSeconds: 60 };
    await expect(usage.listQuotaUse({ quotas: [wrong] }, INIT)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    const many = Array.from({ length: 1_001 }, () => ({ subject: subjectOf(id), windowSeconds: 60 }));
    await expect(usage.listQuotaUse({ quotas: many }, INIT)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });

  it('return the first answer for a repeated move, also concurrently', async () => {
    const id = randomUUID();
    const request = demand(id);
    const grants = await Promise.all([usage, other, usage, other].map((stub) => stub.leaseQuota(request, INIT)));
    expect(grants.map(({ granted }) => granted)).toEqual([10, 10, 10, 10]);
    expect(await used(id)).toEqual([10]);
    expect(await usage.leaseQuota({ ...request, move: 2 }, INIT)).toMatchObject({ granted: 10 });
    expect(await usage.leaseQuota(request, INIT)).toMatchObject({ granted: 0 });
    expect(await used(id)).toEqual([20]);
  });

  it('take back unused units once, and no more than the lease held', async () => {
    const id = randomUUID();
    const { leaseId } = demand(id);
    await usage.leaseQuota(demand(id, { leaseId }), INIT);
    await usage.leaseQuota(demand(id), INIT);
    const settlement = { leaseId, move: 2, unused: 4 };
    await Promise.all([usage, other, usage].map((stub) => stub.settleQuota(settlement, INIT)));
    expect(await used(id)).toEqual([16]);
    await usage.settleQuota({ leaseId, move: 3, unused: 1_000 }, INIT);
    expect(await used(id)).toEqual([10]);
    await usage.settleQuota({ leaseId: randomUUID(), move: 1, unused: 5 }, INIT);
    expect(await used(id)).toEqual([10]);
  });

  it('charge what exceeded the grant, also beyond the limit', async () => {
    const id = randomUUID();
    const { leaseId } = demand(id);
    await usage.leaseQuota(demand(id, { leaseId, needed: 100 }), INIT);
    await usage.settleQuota({ leaseId, move: 2, unused: -30 }, INIT);
    expect(await used(id)).toEqual([130]);
    const late = demand(id);
    expect(await usage.leaseQuota(late, INIT)).toMatchObject({ granted: 0 });
    await usage.settleQuota({ leaseId, move: 3, unused: 40 }, INIT);
    expect(await usage.leaseQuota({ ...late, move: 2 }, INIT)).toMatchObject({ granted: 2 });
  });

  it('start again with each window by the database’s clock, and end a lease with its window', async () => {
    const id = randomUUID();
    const { leaseId } = demand(id);
    const short = { windowSeconds: 2, limit: 3, needed: 3, wanted: 3 };
    const first = await usage.leaseQuota(demand(id, { ...short, leaseId }), INIT);
    expect(first.granted).toBe(3);
    expect(first.windowEndsInMs).toBeGreaterThan(0);
    expect(first.windowEndsInMs).toBeLessThanOrEqual(2_000);
    const next = await waitFor(async () => [await usage.leaseQuota(demand(id, short), INIT)].find(({ granted }) => granted > 0));
    expect(next.granted).toBe(3);
    expect(await usage.leaseQuota(demand(id, { ...short, leaseId, move: 2 }), INIT)).toEqual({ granted: 0, windowEndsInMs: 0, left: 0 });
    expect(await used(id)).toEqual([3, 3]);
  });

  it('charge a speech job for its actual audio, once', async () => {
    const [keyId, workspaceId, free] = [randomUUID(), randomUUID(), randomUUID()];
    const reserved = estimateSpeechMs(40) * 3;
    const audio = { limit: 1_000_000, needed: reserved, wanted: reserved };
    await usage.leaseQuota(demand(keyId, { ...audio, subject: subjectOf(keyId, 'audio_ms') }), INIT);
    await usage.leaseQuota(demand(workspaceId, { ...audio, subject: subjectOf(workspaceId, 'audio_ms', 'workspace') }), INIT);
    const callerIds = { workspaceId, keyId };
    const jobs = [
      speechJob(callerIds, { audioMs: 9_000 }),
      speechJob(callerIds, { audioMs: 1_000 }),
      speechJob(callerIds, { status: 'failed', errorCondition: 'PROVIDER_UNAVAILABLE' }),
      speechJob({ workspaceId, keyId: free }, { audioMs: 3_000 }),
    ];
    for (let delivery = 0; delivery < 3; delivery++) await publish(fixture.bus, jobs, 3 - delivery);
    await publish(fixture.bus, [speechJob({ workspaceId: randomUUID(), keyId: free }, { audioMs: 7 })]);
    await waitFor(async () => (await fixture.stored())?.records === 5);
    expect(await used(keyId, 'audio_ms')).toEqual([10_000]);
    expect(await used(workspaceId, 'audio_ms')).toEqual([13_000 - estimateSpeechMs(40)]);
    expect(await used(free, 'audio_ms')).toEqual([]);
  });

  it.each<[string, Partial<LeaseQuotaRequest>]>([
    ['a subject of no kind', { subject: { kind: 'user', id: randomUUID(), metric: 'requests' } }],
    ['an unknown metric', { subject: { kind: 'key', id: randomUUID(), metric: 'euros' } }],
    ['an id that is none', { subject: { kind: 'key', id: "';--", metric: 'requests' } }],
    ['no subject', { subject: undefined }],
    ['a lease without an id', { leaseId: '' }],
    ['a window of no length', { windowSeconds: 0 }],
  ])('refuse %s', async (_what, part) => {
    await expect(usage.leaseQuota(demand(randomUUID(), part), INIT)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });
});
