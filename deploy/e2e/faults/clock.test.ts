import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said } from '../harness/chat.ts';
import { jumpClock } from '../harness/evaluate.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Ledger } from '../harness/ledger.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { deathsOf, type PartName, partOf } from '../harness/parts.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';
import { begin, clearAccount, connectionOf } from './upstream/health.ts';

const TWO_HOURS_MS = 2 * 3_600_000;
const PARTS: PartName[] = ['edge', 'chat-routing', 'conversation', 'usage'];
/** The one and then the other brings a clock back to where it was. */
const JUMPS: [part: PartName, direction: string, ms: number][] = PARTS.flatMap((part) => [
  [part, 'ahead', TWO_HOURS_MS],
  [part, 'back', -TWO_HOURS_MS],
]);
/** Requests an address may make in an hour. */
const ALLOWED = 30;

describe('a clock that jumps by two hours', () => {
  let parley: Parley | undefined;
  const gateway = () => {
    if (!parley) throw new Error('the gateway did not start');
    return parley;
  };
  beforeAll(async () => {
    const env = { PARLEY_THROTTLE_RATE_LIMIT: `${ALLOWED} per 1 hour`, PARLEY_TRUSTED_PROXIES: '127.0.0.1' };
    parley = await startParley({ topology: 'separate', env });
  });
  afterAll(async () => {
    expect(await deathsOf(gateway())).toEqual([]);
    await parley?.dispose();
  });

  let address = 0;
  /** An address of its own. */
  const somewhere = () => ({ 'x-forwarded-for': `203.0.113.${++address}` });

  it.each(JUMPS)('of %s, %s, opens no breaker and no throttle early, ends no turn and loses nothing', async (part, _direction, ms) => {
    const sandbox = new Sandbox(gateway);
    const [tenant, limited] = [await makeTenant(gateway), await makeTenant(gateway)];
    const ledger = new Ledger(gateway, tenant);
    const headers = somewhere();
    const conversation = await begin(gateway(), limited);
    const inConversation = (say: string) => ask(gateway(), { key: limited.apiKey, conversation, say, headers });
    await onlyAccount(limited).order({ fault: 'rate_limited' });
    await inConversation('hello');
    const elsewhere = somewhere();
    const busy = () => ask(gateway(), { headers: elsewhere });
    await waitFor(async () => (await busy()).status === 429, { everyMs: 0 });

    await sandbox.setPace(50);
    const underWay = Array.from({ length: 5 }, () => ledger.turn({ words: 60, headers }));
    await waitFor(async () => (await ledger.record()).length === 5);
    await jumpClock((await partOf(gateway(), part)).pid, ms);
    await sandbox.setPace(0);
    for (const heard of await Promise.all(underWay)) expect(heard).toMatchObject({ outcome: 'completed' });
    for (let turns = 0; turns < 5; turns++) expect(await ledger.turn({ headers })).toMatchObject({ outcome: 'completed' });

    expect((await busy()).status).toBe(429);
    expectRefusal(await inConversation('hello'), { status: 429, code: 'PROVIDER_RATE_LIMITED' });
    const connection = await connectionOf(gateway(), limited, onlyAccount(limited).label);
    expect(connection.status).toBe('rate_limited');
    expect(connection.cooldown_seconds).toBeGreaterThan(200);
    expect(connection.cooldown_seconds).toBeLessThanOrEqual(300);
    await clearAccount(gateway(), limited);
    expect(said(await inConversation('say on')).text).toBe('on');
    expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    await ledger.reconcile();
  });
});
