import { cpuBetween, readCpu } from '../measure/cpu.ts';
import { quantile } from '../measure/statistics.ts';
import { settle } from '../run/measured.ts';
import { type Rig, type StartedTarget } from '../run/rig.ts';
import { parleySingle } from '../targets/parley-single.ts';
import { StoredUsage } from './fill.ts';
import { type UsageOptions } from './options.ts';

/** Periods of a usage report, as the OpenAPI document lists them. */
const PERIODS = ['24h', '7d', '30d'] as const;

// Code that is still being compiled would make the first size look dear.
const WARM_UPS = 8;

/** What one report of a period costs with so many records. */
export interface UsageCost {
  records: number;
  /** Rows of hours and days that the records came to. */
  rollups: number;
  period: (typeof PERIODS)[number];
  /** Of the cheapest round. */
  cpuMicros: number;
  /** Of the quickest one. */
  p50Ms: number;
}

/** Asks for the reports of a key while its records grow from size to size. */
export async function runUsage(rig: Rig, options: UsageOptions, say: (line: string) => void): Promise<UsageCost[]> {
  const target = await rig.startTarget(parleySingle);
  const { databaseUrl } = target.running;
  if (databaseUrl === undefined) throw new Error(`${target.name} keeps no record`);
  const stored = await StoredUsage.open(databaseUrl);
  await stored.growTo(options.records[0] ?? 0);
  for (let warm = 0; warm < WARM_UPS; warm++) for (const period of PERIODS) await ask(target, period, options.reports);
  const costs: UsageCost[] = [];
  for (const records of options.records) {
    say(`usage: filling up to ${records} records`);
    const rollups = await stored.growTo(records);
    for (const period of PERIODS) await ask(target, period, options.reports);
    await settle(target);
    for (const period of PERIODS) {
      const cost = { records, rollups, period, ...(await measure(target, period, options)) };
      say(`usage: ${records} records, ${period}: ${cost.cpuMicros.toFixed(0)} µs CPU, p50 ${cost.p50Ms.toFixed(2)} ms`);
      costs.push(cost);
    }
  }
  await stored.close();
  return costs;
}

async function measure(target: StartedTarget, period: UsageCost['period'], { rounds, reports }: UsageOptions) {
  const measured: Pick<UsageCost, 'p50Ms' | 'cpuMicros'>[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = readCpu(target.running.pids());
    const p50Ms = quantile(await ask(target, period, reports), 0.5);
    measured.push({ p50Ms, cpuMicros: cpuBetween(before, readCpu(target.running.pids())) / reports });
  }
  // What others do on the machine only ever adds.
  return { p50Ms: Math.min(...measured.map((round) => round.p50Ms)), cpuMicros: Math.min(...measured.map((round) => round.cpuMicros)) };
}

/** How long each of some reports took, one after the other, in milliseconds. */
async function ask({ running }: StartedTarget, period: string, count: number): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const start = performance.now();
    const response = await fetch(`${running.url}/v1/usage?period=${period}`, { headers: running.headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a usage report was answered with ${response.status}`);
    took.push(performance.now() - start);
  }
  return took;
}
