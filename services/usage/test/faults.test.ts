import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { openFixture, publish, report, turn } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
let proxy: FaultProxy;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(async () => {
  await fixture?.close();
  await proxy?.close();
});

/** The same URL through a proxy that the test can break. */
async function through(target: string): Promise<string> {
  const url = new URL(target);
  proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.href.replace(/\/$/, '');
}

const callerIds = { workspaceId: randomUUID(), keyId: randomUUID() };

describe('usage with the broker down', () => {
  it('starts, serves reports, and later counts every event of the outage once', async () => {
    const natsUrl = await through(fixture.natsUrl);
    proxy.cut();
    const usage = await fixture.start({ natsUrl });
    await expect(report(usage, callerIds)).resolves.toMatchObject({ totalRequests: 0 });
    proxy.resume();
    const events = Array.from({ length: 30 }, () => turn(callerIds));
    await publish(fixture.bus, events.slice(0, 10));
    await waitFor(async () => (await report(usage, callerIds)).totalRequests === 10);
    proxy.cut();
    await publish(fixture.bus, events);
    await expect(report(usage, callerIds)).resolves.toMatchObject({ totalRequests: 10 });
    await expect(usage.ready()).resolves.toMatchObject({ ready: true, checks: { nats: { ok: false } } });
    proxy.resume();
    await waitFor(async () => (await report(usage, callerIds)).totalRequests === 30);
    await expect(fixture.stored()).resolves.toEqual({ records: 30, requests: 30, tokens: 240 });
  });
});

describe('usage with the database down', () => {
  it('answers SERVICE_UNAVAILABLE, is not ready, and later counts every event of the outage once', async () => {
    const databaseUrl = await through(fixture.databaseUrl);
    const usage = await fixture.start({ databaseUrl });
    await publish(fixture.bus, [turn(callerIds)]);
    await waitFor(async () => (await report(usage, callerIds)).totalRequests === 1);
    await expect(usage.ready()).resolves.toMatchObject({ ready: true });
    proxy.cut();
    await expect(report(usage, callerIds)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await waitFor(async () => !(await usage.ready()).ready);
    await publish(fixture.bus, [turn(callerIds), turn(callerIds)]);
    proxy.resume();
    await waitFor(async () => (await report(usage, callerIds)).totalRequests === 3);
    await expect(fixture.stored()).resolves.toMatchObject({ records: 3, requests: 3 });
  });
});
