import { expect } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type ChartValues } from '../../helm/chart.ts';
import { type Cluster } from './cluster.ts';
import { type Ledger } from './ledger.ts';
import { type Gateway } from './parley.ts';
import { type PartName, partOf } from './parts.ts';
import { type Traffic } from './traffic.ts';

/** Values of the chart for tests: what else they would have to wait for, and a limit that they do not reach. */
export const ROLLING_VALUES: ChartValues = {
  drain: { preStopSeconds: 1 },
  env: { PARLEY_THROTTLE_RATE_LIMIT: '1000000 per 1 minute' },
};

/** Stops and starts every process of a cluster, one after the other, and then `others` of the gateway that it belongs to. */
export async function restartAll({ members }: Cluster, parts: Gateway, others: readonly PartName[], traffic: Traffic): Promise<void> {
  for (const member of members) {
    expect({ component: member.component, ...(await member.restart()) }).toEqual({ component: member.component, code: 0, signal: null });
    await goesOn(traffic);
  }
  for (const name of others) {
    const before = await partOf(parts, name);
    process.kill(before.pid, 'SIGTERM');
    await partOf(parts, name, before);
  }
  await goesOn(traffic);
}

/** Waits until turns and streams have ended that began after this moment. */
export async function goesOn(traffic: Traffic): Promise<void> {
  const { turns, streams } = traffic;
  await waitFor(() => traffic.turns > turns + 10 && traffic.streams > streams);
}

/** Expects that every turn was answered to its end, and that the record has each of them once. */
export async function expectNothingLost(ledger: Ledger): Promise<void> {
  const lost = ledger.heard.filter(({ outcome }) => outcome !== 'completed');
  expect(lost.map(({ outcome, status, code, raw }) => ({ outcome, status, code, raw: raw.slice(-300) }))).toEqual([]);
  await ledger.reconcile();
  expect(await ledger.record()).toHaveLength(ledger.heard.length);
}
