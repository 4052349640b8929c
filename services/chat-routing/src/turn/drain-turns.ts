import { GatewayError } from '@parley/protos/errors';
import { type Recorder } from './recorder.ts';
import { type RunningTurns } from './running-turns.ts';

/** Bounds of a drain in milliseconds. */
export interface DrainLimits {
  /** How long turns may go on. */
  turnsMs: number;
  /** How long stopped turns may take to be recorded. */
  stopMs: number;
}

const STOP_MS = 10_000;

/** The parts of a drain of so many milliseconds: turns have all but the last ten seconds, or half of a short one. */
export function toDrainLimits(drainMs: number): DrainLimits {
  const stopMs = Math.min(STOP_MS, drainMs / 2);
  return { turnsMs: drainMs - stopMs, stopMs };
}

/** Lets turns come to their ends for a while, stops those that are left and waits until they are recorded; `refusing` ends with the last call. */
export async function drainTurns(
  running: RunningTurns,
  recorder: Recorder,
  refusing: Promise<void>,
  { turnsMs, stopMs }: DrainLimits,
): Promise<void> {
  await within(turnsMs, Promise.all([refusing, running.idle()]));
  running.stopAll(new GatewayError('SHUTTING_DOWN', 'the gateway is shutting down', { retryAfterMs: 1_000 }));
  recorder.hurry();
  const ending = Promise.all([refusing, running.idle()]).then(() => recorder.drain());
  await within(stopMs, ending);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, bound]);
  clearTimeout(timer);
}
