import { type ClosedLoopJob } from '../load/protocol.ts';
import { type ThroughputScenario, type ThroughputWindow } from '../results.ts';
import { runMeasured, settle } from './measured.ts';
import { PutOffMeter } from './put-off.ts';
import { quietest } from './quietest.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings, STATELESS_SECONDS } from './settings.ts';

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
  const { throughputSeconds } = settings;
  const seconds = target.running.openBacklog ? throughputSeconds : Math.min(throughputSeconds, STATELESS_SECONDS);
  const job: ClosedLoopJob = {
    kind: 'closed-loop',
    ...requestFor(target, model, stream),
    connections: settings.connections,
    warmMs: settings.warmSeconds * 1000,
    windowMs: seconds * 1000,
  };
  const window = await quietest(() => measureOnce(rig, target, job));
  return { kind, target: target.name, round, ...window };
}

async function measureOnce(rig: Rig, target: StartedTarget, job: ClosedLoopJob) {
  const meter = await PutOffMeter.open(target);
  let closedAt = 0;
  const { result, cpu } = await runMeasured(rig, target, job, (answeredInJob) => {
    closedAt = performance.now();
    meter.edge(answeredInJob);
  });
  const { answered, seconds, failures } = result;
  const putOff = await meter.workedOff(closedAt, seconds);
  await meter.close();
  const settleMs = await settle(target);
  return {
    answered,
    seconds,
    perSecond: answered / seconds,
    sustainedPerSecond: answered / (seconds + (putOff?.workedOffMs ?? 0) / 1000),
    ...(putOff && { putOff }),
    cpuMicrosEach: answered === 0 ? Number.NaN : cpu.targetMicros / answered,
    targetCores: cpu.targetMicros / (seconds * 1e6),
    loadCores: cpu.loadMicros / (seconds * 1e6),
    // Decided for the whole scenario: markMockBound.
    mockBound: false,
    settleMs,
    foreignShare: cpu.foreignShare,
    failures,
  };
}
