import { type JobResult } from '../load/protocol.ts';
import { quantile } from '../measure/statistics.ts';
import { type LatencyWindow } from '../results.ts';
import { runMeasured, type WindowCpu } from './measured.ts';
import { quietest } from './quietest.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';
import { warmUp } from './warm-up.ts';

/** What chat is measured at where it is not to be busy. */
export const REQUESTS_PER_SECOND = 100;
const STREAMS_PER_SECOND = 10;
const LEAD_IN_MS = 500;

/** Measures what a target adds when it is not busy: 100 requests a second, then 10 streams a second whose chunks carry the time they left at. */
export async function measureLatency(rig: Rig, target: StartedTarget, round: number, settings: Settings): Promise<LatencyWindow> {
  const window = await quietest(async () => {
    const whole = await atRate(rig, target, 'fast', false, REQUESTS_PER_SECOND, settings);
    const streamed = await atRate(rig, target, 'stamped', true, STREAMS_PER_SECOND, settings);
    return {
      p50Ms: quantile(whole.result.timings.totalMs, 0.5),
      p99Ms: quantile(whole.result.timings.totalMs, 0.99),
      firstChunkP50Ms: quantile(streamed.result.timings.firstPieceMs, 0.5),
      firstChunkP99Ms: quantile(streamed.result.timings.firstPieceMs, 0.99),
      chunkDelayP50Ms: quantile(streamed.result.timings.pieceDelayMs, 0.5),
      foreignShare: Math.max(whole.cpu.foreignShare, streamed.cpu.foreignShare),
      failures: merged(whole.result.failures, streamed.result.failures),
    };
  });
  return { kind: 'latency', target: target.name, round, ...window };
}

async function atRate(
  rig: Rig,
  target: StartedTarget,
  model: string,
  stream: boolean,
  perSecond: number,
  settings: Settings,
): Promise<{ result: JobResult; cpu: WindowCpu }> {
  await warmUp(rig, target, stream ? 'chunks-64' : model, stream, settings);
  return runAtRate(rig, target, { model, stream, perSecond, seconds: settings.seconds });
}

/** Requests at a fixed rate, right away. */
export function runAtRate(
  rig: Rig,
  target: StartedTarget,
  { model, stream, perSecond, seconds }: { model: string; stream: boolean; perSecond: number; seconds: number },
): Promise<{ result: JobResult; cpu: WindowCpu }> {
  return runMeasured(rig, target, {
    kind: 'open-loop',
    ...requestFor(target, model, stream),
    perSecond,
    warmMs: LEAD_IN_MS,
    windowMs: seconds * 1000,
  });
}

/** Failures of two jobs together. */
export function merged(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a };
  for (const [reason, count] of Object.entries(b)) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}
