import { setTimeout as delay } from 'node:timers/promises';
import { type HoldJob } from '../load/protocol.ts';
import { readMemoryKib } from '../measure/memory.ts';
import { quantile } from '../measure/statistics.ts';
import { type MemoryWindow } from '../results.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { inTurn, type Session } from './session.ts';
import { type Settings } from './settings.ts';
import { warmUp } from './warm-up.ts';

const SAMPLES = 5;
const SAMPLE_GAP_MS = 400;
// Longer than the samples take.
const PAUSE_MS = 2 * SAMPLES * SAMPLE_GAP_MS;

// Every window starts its target anew; more rounds than these would spend the time on starting.
const MAX_ROUNDS = 3;

/** Measures the memory of every target but `direct`: the mock's own says nothing about a gateway. */
export async function runMemory(session: Session): Promise<void> {
  const { rig, plan } = session;
  const targets = plan.targets.filter(({ name }) => name !== 'direct');
  for (let round = 1; round <= Math.min(plan.settings.rounds, MAX_ROUNDS); round++) {
    for (const target of inTurn(round, targets)) {
      const started = await session.start(target);
      if (!started) continue;
      session.keep(await measureMemory(rig, started, round, plan.settings));
      await session.finish(started, `memory, round ${round}`);
    }
  }
}

/**
 * Measures what a freshly started target holds for every stream that is open and gets little: the difference between half of the streams
 * and all of them, because the first ones still find room in the heap that the warm-up left. The streams end in full afterwards.
 */
async function measureMemory(rig: Rig, target: StartedTarget, round: number, settings: Settings): Promise<MemoryWindow> {
  await warmUp(rig, target, 'chunks-64', true, settings);
  const baseKib = await sample(target);
  const { streams } = settings;
  const samples: Promise<number>[] = [];
  const job: HoldJob = { kind: 'hold', ...requestFor(target, 'slow-open', true), streams, pauseMs: PAUSE_MS };
  const result = await rig.load.run(job, () => {
    const taken = sample(target);
    samples.push(taken);
    if (samples.length === 2) void taken.finally(() => rig.mock.release());
  });
  target.answered += result.answeredEver;
  const [halfKib = Number.NaN, openKib = Number.NaN] = await Promise.all(samples);
  return {
    kind: 'memory',
    target: target.name,
    round,
    streams,
    baseKib,
    halfKib,
    openKib,
    kibPerStream: (openKib - halfKib) / (streams - Math.floor(streams / 2)),
    foreignShare: 0,
    noisy: false,
    attempts: 1,
    failures: result.failures,
  };
}

async function sample(target: StartedTarget): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await delay(SAMPLE_GAP_MS);
    values.push(readMemoryKib(target.running.pids()));
  }
  return quantile(values, 0.5);
}
