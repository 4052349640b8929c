import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said } from '../harness/chat.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Ledger } from '../harness/ledger.ts';
import { onOwnInfra } from '../harness/on-own-infra.ts';
import { randomKey } from '../harness/parley.ts';
import { freeze } from '../harness/parts.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant } from '../harness/tenant.ts';

const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' };
/** A client hears soon that there is no database: long before its turn would be out of time (ten minutes), and while the database is still away. */
const TOLD_MS = 30_000;

describe('a database that is away', () => {
  onOwnInfra((gateway, infra) => {
    const sandbox = new Sandbox(gateway);
    const soon = () => AbortSignal.timeout(TOLD_MS);
    const models = (key: string) => call(gateway(), 'GET', '/v1/models', { key, signal: soon() });

    /** The gateway answers turns again, without anybody's help. */
    const recovers = (key: string) =>
      waitFor(async () => (await ask(gateway(), { key, say: 'say again', signal: soon() })).status === 200, { everyMs: 100 });

    it('reaches clients as an error, loses nothing acknowledged, and has no effect after recovery', async () => {
      const tenant = await makeTenant(gateway);
      const { apiKey: key } = tenant;
      const ledger = new Ledger(gateway, tenant);
      for (let turns = 0; turns < 3; turns++) await ledger.turn();
      await sandbox.setPace(20);
      const underWay = Array.from({ length: 5 }, () => ledger.turn({ words: 20 }));
      await waitFor(async () => (await ledger.record()).length === 8);
      await sandbox.setPace(0);

      await infra().database.stop();
      expectRefusal(await ask(gateway(), { key, signal: soon() }), UNAVAILABLE);
      expectRefusal(await ask(gateway(), { key: randomKey(), signal: soon() }), UNAVAILABLE);
      const probe = await waitFor(async () => [await call(gateway(), 'GET', '/readyz')].find(({ status }) => status === 503));
      expect(probe.json).toMatchObject({ status: 'not_ready', checks: { database: { ok: false } } });
      const refused = await waitFor(async () => [await models(key)].find(({ status }) => status !== 200));
      expectRefusal(refused, UNAVAILABLE);
      for (let turns = 0; turns < 3; turns++) expect(await ledger.turn({ signal: soon() })).toMatchObject({ outcome: 'refused' });

      await infra().database.start();
      // Their outcomes have waited for the record.
      for (const heard of await Promise.all(underWay)) expect(heard).toMatchObject({ outcome: 'completed' });
      await recovers(gateway().apiKey);
      expect(await ledger.turn()).toMatchObject({ outcome: 'completed' });
      await waitFor(async () => (await call(gateway(), 'GET', '/readyz')).status === 200);
      await ledger.reconcile();
    });

    it('reaches all waiting clients as the same error when it hangs', async () => {
      const tenant = await makeTenant(gateway);
      const ledger = new Ledger(gateway, tenant);
      const { conversation } = said(await ask(gateway(), { say: 'remember the blue door' }));
      const thaw = await freeze(infra().database.pid);
      try {
        const turns = Array.from({ length: 100 }, () => ledger.turn({ signal: soon() }));
        for (const heard of await Promise.all(turns)) expect(heard).toMatchObject({ outcome: 'refused', ...UNAVAILABLE });
      } finally {
        thaw();
      }
      await recovers(gateway().apiKey);
      await ledger.reconcile();
      const recalled = await ask(gateway(), { conversation, say: 'what did I ask you to remember?' });
      expect(said(recalled).text).toContain('the blue door');
    });
  });
});
