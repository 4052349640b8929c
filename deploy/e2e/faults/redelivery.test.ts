import { expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { Ledger } from '../harness/ledger.ts';
import { startParley } from '../harness/parley.ts';
import { killPart } from '../harness/parts.ts';
import { sendAgain } from '../harness/send-again.ts';
import { makeTenant } from '../harness/tenant.ts';
import { usageOf } from '../harness/usage.ts';

const TURNS = 50;
const TIMES = 3;

it('counts every event once, however often it comes', async () => {
  const gateway = await startParley({ topology: 'separate' });
  try {
    const tenant = await makeTenant(() => gateway);
    const ledger = new Ledger(() => gateway, tenant);
    await Promise.all(Array.from({ length: TURNS }, () => ledger.turn()));
    const sum = (field: 'tokensIn' | 'tokensOut') => ledger.completed.reduce((total, heard) => total + heard[field], 0);
    const own = { total_requests: TURNS, successful: TURNS, total_tokens_in: sum('tokensIn'), total_tokens_out: sum('tokensOut') };
    const usage = () => usageOf(gateway, tenant.apiKey);
    await waitFor(async () => (await usage()).total_requests === TURNS);
    expect(await usage()).toMatchObject(own);

    const sent = await sendAgain(gateway, TIMES, () => killPart(gateway, 'usage'));
    expect(sent).toBeGreaterThanOrEqual(TIMES);
    // Everything is consumed in order: what is asked after it has been counted behind it.
    const last = new Ledger(() => gateway, await makeTenant(() => gateway));
    await last.turn();
    await last.reconcile();
    expect(await usage()).toMatchObject(own);
    await ledger.reconcile();
  } finally {
    await gateway.dispose();
  }
});
