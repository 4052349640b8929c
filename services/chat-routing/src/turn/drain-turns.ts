import { GatewayError } from '@parley/protos/errors';
import { type Recorder } from './recorder.ts';
import { type RunningTurns } from './running-turns.ts';

/** Bounds of a drain in milliseconds. */
export interface DrainLimits {
  /** How long turns may go on. @default 40_000 */
  turnsMs: number;
  /** How long stopped turns may take to be recorded. @default 8_000 */
  stopMs: number;
}

const DRAIN: DrainLimits = { turnsMs: 40_000, stopMs: 8_000 };

/** Lets turns come to their ends for a while, stops those that are left and waits until they are recorded; `refusing` ends with the last call. */
export async function drainTurns(
  running: RunningTurns,
  recorder: Recorder,
  refusing: Promise<void>,
  { turnsMs, stopMs }: DrainLimits = DRAIN,
): Promise<void> {
  await within(turnsMs, Promise.all([refusing, running.idle()]));
  running.stopAll(new GatewayError('SHUTTING_DOWN', 'the gateway is shutting down', { retryAfterMs: 1_000 }));
  const ending = Promise.all([refusing, running.idle()]).then(() => recorder.drain());
  await within(stopMs, ending);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, bound]);
  clearTimeout(timer);
}
