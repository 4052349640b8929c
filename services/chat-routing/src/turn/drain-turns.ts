import { GatewayError } from '@parley/protos/errors';
import { type RunningTurns } from './running-turns.ts';
import { type TurnRecorder } from './turn-recorder.ts';

/** Time limits of the phases of a drain, in milliseconds. */
export interface DrainLimits {
  /** How long running turns may continue. */
  turnsMs: number;
  /** How long stopped turns may take to be recorded. */
  stopMs: number;
}

const STOP_MS = 10_000;

/**
 * Splits a drain of `drainMs` milliseconds: recording gets the last ten seconds (half of a drain shorter than 20 s), turns get the rest.
 */
export function toDrainLimits(drainMs: number): DrainLimits {
  const stopMs = Math.min(STOP_MS, drainMs / 2);
  return { turnsMs: drainMs - stopMs, stopMs };
}

/**
 * Lets running turns finish within `turnsMs`, then stops the remaining ones with SHUTTING_DOWN and waits up to `stopMs` until they are
 * recorded. `refusing` resolves when the last call has ended.
 */
export async function drainTurns(
  running: RunningTurns,
  recorder: TurnRecorder,
  refusing: Promise<void>,
  { turnsMs, stopMs }: DrainLimits,
): Promise<void> {
  await within(turnsMs, Promise.all([refusing, running.waitUntilIdle()]));
  running.stopAll(new GatewayError('SHUTTING_DOWN', 'the gateway is shutting down', { retryAfterMs: 1_000 }));
  recorder.stopWaiting();
  const ending = Promise.all([refusing, running.waitUntilIdle()]).then(() => recorder.drain());
  await within(stopMs, ending);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, bound]);
  clearTimeout(timer);
}
