import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { ask } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Ledger } from '../harness/ledger.ts';
import { onOwnInfra } from '../harness/on-own-infra.ts';
import { Operator } from '../harness/operator.ts';
import { makeTenant } from '../harness/tenant.ts';
import { usageOf } from '../harness/usage.ts';

const probe = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
});

describe('a broker that is away', () => {
  onOwnInfra((gateway, infra, topology) => {
    const waiting = async () =>
      (await query<{ count: number }>(gateway(), 'SELECT count(*)::int AS count FROM conversation.outbox'))[0]?.count;
    const readiness = async () => probe.parse((await call(gateway(), 'GET', '/readyz')).json);

    it('is not noticed by who chats, shows where operators look, and loses no event', async () => {
      const tenant = await makeTenant(gateway);
      const ledger = new Ledger(gateway, tenant);
      await ledger.turn();
      await waitFor(async () => (await usageOf(gateway(), tenant.apiKey)).total_requests === 1);

      await infra().broker.stop();
      await waitFor(async () => !(await readiness()).checks['broker']?.ok);
      for (let turns = 0; turns < 20; turns++) expect(await ledger.turn()).toMatchObject({ outcome: 'completed' });
      expect(await waiting()).toBeGreaterThan(0);
      expect(await readiness()).toMatchObject({ status: 'ready', checks: { broker: { ok: false, detail: expect.any(String) } } });
      if (topology === 'single') {
        await waitFor(async () => (await readiness()).checks['conversation']?.detail?.match(/outbox: [1-9]\d* batches of events wait/));
      }

      await infra().broker.start();
      await waitFor(async () => (await waiting()) === 0, { everyMs: 100 });
      expect(ledger.completed).toHaveLength(21);
      await ledger.reconcile();
      await waitFor(async () => (await readiness()).checks['broker']?.ok);
    });

    it('keeps no revoked key alive', async () => {
      const operator = new Operator(gateway);
      const tenant = await makeTenant(gateway);
      expect((await ask(gateway(), { key: tenant.apiKey })).status).toBe(200);
      await infra().broker.stop();
      try {
        await operator.revokeKey(tenant.keyId);
        const refused = await waitFor(async () => [await ask(gateway(), { key: tenant.apiKey })].find(({ status }) => status !== 200));
        expectRefusal(refused, { status: 401, code: 'REVOKED_API_KEY' });
      } finally {
        await infra().broker.start();
      }
    });
  });
});
