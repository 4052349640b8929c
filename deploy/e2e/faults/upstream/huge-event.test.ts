import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { Ledger } from '../../harness/ledger.ts';
import { oneGateway } from '../../harness/one-gateway.ts';
import { partOf } from '../../harness/parts.ts';
import { makeTenant, onlyAccount, type Provider } from '../../harness/tenant.ts';
import { clearAccount } from './health.ts';

const TURNS = 6;
/** An event is cut at 8 MB; what it takes on its way is some copies of that, and far from the 50 MB that were sent each time. */
const GROWTH = 96 * 1_024 * 1_024;

describe('an upstream that sends events of 50 MB', () => {
  const gateway = oneGateway({ topology: 'separate' });

  it.each<Provider>(['sandbox', 'openai-compatible'])('costs no memory to speak of (%s)', async (provider) => {
    const tenant = await makeTenant(gateway, [provider]);
    const ledger = new Ledger(gateway, tenant);
    await ledger.turn();
    const { pid } = await partOf(gateway(), 'chat-routing');
    const before = await peakBytes(pid);
    for (let turns = 0; turns < TURNS; turns++) {
      await onlyAccount(tenant).order({ fault: 'huge_event', after_chunks: 2 });
      expect(await ledger.turn()).toMatchObject({ outcome: 'failed', code: 'PROVIDER_UNAVAILABLE' });
      await clearAccount(gateway(), tenant);
    }
    expect((await peakBytes(pid)) - before).toBeLessThanOrEqual(GROWTH);
    await ledger.reconcile();
  });
});

/** The most memory that a process ever had. */
async function peakBytes(pid: number): Promise<number> {
  const [, kilobytes = 'NaN'] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
