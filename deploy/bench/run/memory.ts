import { setTimeout as delay } from 'node:timers/promises';
import { readMemoryKib } from '../measure/memory.ts';
import { quantile } from '../measure/statistics.ts';
import { type MemoryWindow } from '../results.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';
import { warmUp } from './warm-up.ts';

const SAMPLES = 5;
const SAMPLE_GAP_MS = 400;

/** Measures what a freshly started target holds for every stream that is open and waits; the streams end in full afterwards. */
export async function measureMemory(rig: Rig, target: StartedTarget, round: number, settings: Settings): Promise<MemoryWindow> {
  await warmUp(rig, target, 'chunks-64', true, settings);
  const baseKib = await sample(target);

  const { streams } = settings;
  let openKib = Promise.resolve(Number.NaN);
  const result = await rig.load.run({ kind: 'hold', ...requestFor(target, 'slow-open', true), streams }, () => {
    openKib = sampleThenRelease(rig, target);
  });
  target.answered += result.answeredEver;
  const open = await openKib;
  return {
    kind: 'memory',
    target: target.name,
    round,
    streams,
    baseKib,
    openKib: open,
    kibPerStream: (open - baseKib) / streams,
    foreignShare: 0,
    noisy: false,
    attempts: 1,
    failures: result.failures,
  };
}

async function sampleThenRelease(rig: Rig, target: StartedTarget): Promise<number> {
  try {
    return await sample(target);
  } finally {
    rig.mock.release();
  }
}

async function sample(target: StartedTarget): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await delay(SAMPLE_GAP_MS);
    values.push(readMemoryKib(target.running.pids()));
  }
  return quantile(values, 0.5);
}
