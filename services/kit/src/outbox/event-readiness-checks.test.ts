import { expect, it } from '@jest/globals';
import { Readiness } from '../lifecycle/readiness.ts';
import { addEventReadinessChecks } from './event-readiness-checks.ts';

it('reports the outbox depth, and stays ready without the broker', async () => {
  const bus = { connected: false };
  const readiness = new Readiness();
  addEventReadinessChecks(readiness, bus, { depth: async () => 3 });
  await expect(readiness.report()).resolves.toMatchObject({
    ready: true,
    checks: { bus: { detail: 'not connected; events wait in the outbox' }, outbox: { detail: '3 batches of events wait' } },
  });
});

it('stays ready when the outbox cannot be counted', async () => {
  const readiness = new Readiness();
  addEventReadinessChecks(readiness, { connected: true }, { depth: () => Promise.reject(new Error('no database')) });
  await expect(readiness.report()).resolves.toMatchObject({ ready: true, checks: { bus: { detail: 'connected' }, outbox: { ok: false } } });
});
