import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { createRun, makeRunner, publishExample, requestRun, runEnded, type ShownRun } from '../../harness/actions.ts';
import { query } from '../../harness/database.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { onOwnInfra } from '../../harness/on-own-infra.ts';
import { type Account, onlyAccount } from '../../harness/tenant.ts';
import { type Uploader } from '../../harness/upload.ts';
import { usageOf } from '../../harness/usage.ts';

const SLUG = 'open-ticket';
const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' };
/** How long the API thinks about a ticket before it makes it. */
const THINKING_MS = 2_000;

describe('runs of actions while the database or the broker is away', () => {
  onOwnInfra((gateway, infra) => {
    let me: Uploader;
    let tickets: Account;
    beforeAll(() => publishExample(gateway(), SLUG));
    beforeEach(async () => {
      const runner = await makeRunner(gateway, ['http-api']);
      me = runner.me;
      tickets = onlyAccount(runner.tenant);
    });
    const begin = (title: string) => createRun(me, SLUG, { title }, { connection_id: tickets.connectionId });
    /** A run whose write has come to its API, and is being thought about there. */
    const underWay = async (title: string): Promise<ShownRun> => {
      await tickets.order({ fault: 'slow_first_byte', on: 'ticket_create', delay_ms: THINKING_MS });
      const run = await begin(title);
      await waitFor(async () => (await tickets.report()).faults.length === 0, { everyMs: 20 });
      return run;
    };

    it('without a database nothing is accepted, and what was accepted comes to its end once it is back', async () => {
      const title = randomUUID();
      const run = await underWay(title);
      await infra().database.stop();
      const body = { input: { title: 'refused' }, connection_id: tickets.connectionId };
      expectRefusal(await requestRun(me, SLUG, body), UNAVAILABLE);
      expectRefusal(await call(gateway(), 'POST', `/v1/actions/${SLUG}/runs/${run.id}/cancel`, { key: me.key }), UNAVAILABLE);
      // The write ends while its result cannot be stored.
      await waitFor(async () => (await tickets.report()).tickets.length === 1);
      await infra().database.start();
      await waitFor(async () => (await call(gateway(), 'GET', '/readyz')).status === 200);

      expect(await runEnded(me, run)).toMatchObject({ status: 'succeeded', verdict: 'passed', effects: [{ outcome: 'applied' }] });
      expect(await tickets.report()).toMatchObject({ tickets: [{ title }], ticket_writes: 1 });
      await waitFor(async () => (await usageOf(gateway(), me.key)).successful === 1);
      expect(await runEnded(me, await begin('again'))).toMatchObject({ status: 'succeeded' });
    });

    it('without a broker runs end and are cancelled as ever, and usage hears of it later', async () => {
      await infra().broker.stop();
      try {
        expect(await runEnded(me, await begin(randomUUID()))).toMatchObject({ status: 'succeeded' });
        const other = await underWay(randomUUID());
        expect((await call(gateway(), 'POST', `/v1/actions/${SLUG}/runs/${other.id}/cancel`, { key: me.key })).status).toBe(200);
        expect(await runEnded(me, other)).toMatchObject({ status: 'cancelled' });
        const [waiting] = await query<{ count: number }>(gateway(), 'SELECT count(*)::int AS count FROM actions.outbox');
        expect(waiting?.count).toBeGreaterThan(0);
      } finally {
        await infra().broker.start();
      }
      await waitFor(async () => (await usageOf(gateway(), me.key)).total_requests === 2, { everyMs: 100 });
      expect(await usageOf(gateway(), me.key)).toMatchObject({ successful: 2, errors: 0 });
      await waitFor(async () => (await query(gateway(), 'SELECT 1 FROM actions.outbox')).length === 0);
    });
  });
});
