import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { createRun, getRun, makeRunner, publishExample, runEnded, type ShownRun } from '../harness/actions.ts';
import { query } from '../harness/database.ts';
import { publishKeylessTicket } from '../harness/keyless-ticket.ts';
import { type Parley, START_MS, startParley } from '../harness/parley.ts';
import { freeze, killPart, partOf } from '../harness/parts.ts';
import { allConsumed } from '../harness/send-again.ts';
import { type Account, onlyAccount } from '../harness/tenant.ts';
import { type Uploader } from '../harness/upload.ts';
import { usageOf } from '../harness/usage.ts';

const RUNS = 20;
const DONE_MS = 180_000;
/** How long the API thinks about a ticket before it makes it. */
const THINKING_MS = 2_000;
const OFTEN = 1_000;

/** Requests for tickets that have come to the API, and tickets that it has made of them. */
async function asked(account: Account): Promise<{ came: number; made: number }> {
  const { faults, tickets } = await account.report();
  return { came: OFTEN - (faults[0]?.count ?? 0), made: tickets.length };
}

/** Kills the service in the middle of writes that it will not hear the answers of; gives the runs they are of. */
async function killAmidWrites(gateway: Parley, account: Account, ids: readonly string[]): Promise<string[]> {
  const { pid } = await partOf(gateway, 'actions');
  await waitFor(
    async () => {
      const { came, made } = await asked(account);
      return made >= 4 && came - made >= 2;
    },
    { everyMs: 20, timeoutMs: DONE_MS },
  );
  await freeze(pid);
  // The write is done, and its caller is stopped.
  await waitFor(async () => {
    const { came, made } = await asked(account);
    return came === made;
  });
  const cutOff = await query<{ id: string }>(
    gateway,
    `SELECT run_id AS id FROM actions.run_steps WHERE step_id = 'create' AND status = 'started' AND run_id = ANY ($1)`,
    [ids],
  );
  const killed = await killPart(gateway, 'actions');
  await partOf(gateway, 'actions', killed);
  await account.clearFaults();
  return cutOff.map(({ id }) => id).sort();
}

/** Attempts at the write, one row for each that came after a first one. */
async function repeatedWrites(gateway: Parley, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    gateway,
    `SELECT run_id AS id FROM actions.run_steps WHERE step_id = 'create' AND attempt > 1 AND run_id = ANY ($1) ORDER BY run_id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

const idsOf = (runs: readonly ShownRun[]) => runs.map(({ id }) => id).sort();

describe('kill -9 of actions while twenty tickets are opened', () => {
  let gateway: Parley;
  beforeAll(async () => {
    gateway = await startParley({ topology: 'separate' });
  });
  afterAll(() => gateway.dispose());

  /** Twenty runs, a kill in between, and what came of them. */
  async function survive(slug: string) {
    const { tenant, me } = await makeRunner(() => gateway, ['http-api']);
    const account = onlyAccount(tenant);
    await account.order({ fault: 'slow_first_byte', on: 'ticket_create', count: OFTEN, delay_ms: THINKING_MS });
    const titles = Array.from({ length: RUNS }, () => randomUUID()).sort();
    const begun = await Promise.all(titles.map((title) => createRun(me, slug, { title }, { connection_id: account.connectionId })));
    const cutOff = await killAmidWrites(gateway, account, idsOf(begun));
    // The kill came in the middle of work.
    expect(cutOff).not.toEqual([]);
    await waitFor(() => getRun(me, begun[0] ?? { action: slug, id: '' }).catch(() => undefined), { timeoutMs: START_MS });
    const ended = await Promise.all(begun.map((run) => runEnded(me, run)));
    return { me, titles, cutOff, ended, report: await account.report() };
  }

  async function expectCounted({ key }: Uploader, slug: string, counts: { successful: number; errors: number }): Promise<void> {
    await allConsumed(gateway);
    await waitFor(async () => (await usageOf(gateway, key)).total_requests >= RUNS);
    const byModel = [{ model: `action:${slug}`, requests: RUNS, tokens_in: 0, tokens_out: 0 }];
    expect(await usageOf(gateway, key)).toMatchObject({ total_requests: RUNS, ...counts, by_model: byModel });
  }

  it(
    'repeats a write that tells who it is, which is done once',
    async () => {
      await publishExample(gateway, 'open-ticket');
      const { me, titles, cutOff, ended, report } = await survive('open-ticket');
      expect(report.ticket_duplicates).toEqual({});
      expect(report.ticket_writes).toBe(RUNS);
      for (const run of ended) expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed', error: null });
      expect(await repeatedWrites(gateway, idsOf(ended))).toEqual(cutOff);
      expect(report.tickets.map(({ title }) => title).sort()).toEqual(titles);
      expect(ended.map(({ output }) => output?.['ticket_id']).sort()).toEqual(report.tickets.map(({ id }) => id).sort());
      await expectCounted(me, 'open-ticket', { successful: RUNS, errors: 0 });
    },
    2 * DONE_MS,
  );

  it(
    'never repeats one that does not, and leaves it to a person',
    async () => {
      const slug = await publishKeylessTicket(gateway);
      const { me, titles, cutOff, ended, report } = await survive(slug);
      expect(report.ticket_duplicates).toEqual({});
      expect(report.ticket_writes).toBe(report.tickets.length);
      const unclear = ended.filter(({ id }) => cutOff.includes(id));
      for (const run of unclear) {
        expect(run).toMatchObject({ status: 'needs_review', verdict: 'needs_review', error: { code: 'ACTION_STEP_FAILED' } });
        expect(run.effects).toMatchObject([{ step_id: 'create', outcome: 'unknown' }]);
      }
      const succeeded = ended.filter(({ status }) => status === 'succeeded');
      expect(succeeded).toHaveLength(RUNS - cutOff.length);
      expect(await repeatedWrites(gateway, idsOf(ended))).toEqual([]);
      // Some of the writes without an answer were done.
      expect(report.tickets.length).toBeGreaterThan(succeeded.length);
      expect(titles).toEqual(expect.arrayContaining(report.tickets.map(({ title }) => title)));
      await expectCounted(me, slug, { successful: succeeded.length, errors: cutOff.length });
    },
    2 * DONE_MS,
  );
});
