import { type ClosedLoopJob } from '../load/protocol.ts';
import { type ThroughputScenario, type ThroughputWindow } from '../results.ts';
import { runMeasured, settle } from './measured.ts';
import { quietest } from './quietest.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';

const MODELS: Record<ThroughputScenario, { model: string; stream: boolean }> = {
  requests: { model: 'fast', stream: false },
  streams: { model: 'chunks-64', stream: true },
  burst: { model: 'burst-64', stream: true },
};

/** Measures one window of flat-out load on one target. */
export async function measureThroughput(
  rig: Rig,
  target: StartedTarget,
  kind: ThroughputScenario,
  round: number,
  settings: Settings,
): Promise<ThroughputWindow> {
  const { model, stream } = MODELS[kind];
  const job: ClosedLoopJob = {
    kind: 'closed-loop',
    ...requestFor(target, model, stream),
    connections: settings.connections,
    warmMs: settings.warmSeconds * 1000,
    windowMs: settings.seconds * 1000,
  };
  const window = await quietest(async () => {
    const { result, cpu } = await runMeasured(rig, target, job);
    const settleMs = await settle(target);
    const targetCores = cpu.targetMicros / (result.seconds * 1e6);
    const loadCores = cpu.loadMicros / (result.seconds * 1e6);
    return {
      answered: result.answered,
      seconds: result.seconds,
      perSecond: result.answered / result.seconds,
      cpuMicrosEach: result.answered === 0 ? Number.NaN : cpu.targetMicros / result.answered,
      targetCores,
      loadCores,
      // Only the whole scenario shows it: markMockBound.
      mockBound: false,
      settleMs,
      foreignShare: cpu.foreignShare,
      failures: result.failures,
    };
  });
  return { kind, target: target.name, round, ...window };
}
