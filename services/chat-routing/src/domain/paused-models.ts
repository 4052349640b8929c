import { toBackoff } from './backoff.ts';

/** A model that is paused because its upstream did not know it. Remembered for a while after the pause, so that the next one is longer. */
export interface ModelPause {
  model: string;
  /** Number of pauses in a row. */
  rests: number;
  /** End of the pause on the local monotonic clock, in milliseconds. */
  until: number;
}

/** Durations of the first and the longest pause, in milliseconds. */
export interface PausePolicy {
  modelMs: number;
  maxModelMs: number;
}

/** Maximum models that are remembered for one connection. */
const MAX_RESTING = 100;

/** Adds a pause after the upstream did not know a model; the same array when the model is already paused. */
export function pauseModel(resting: readonly ModelPause[], model: string, now: number, policy: PausePolicy): readonly ModelPause[] {
  if (isPaused(resting, model, now)) return resting;
  const remembered = resting.filter(({ until }) => until > now - policy.maxModelMs);
  const rests = (remembered.find((rest) => rest.model === model)?.rests ?? 0) + 1;
  const others = remembered.filter((rest) => rest.model !== model).slice(1 - MAX_RESTING);
  return [...others, { model, rests, until: now + toBackoff(policy.modelMs, rests, policy.maxModelMs) }];
}

/** Removes a model after a turn with it succeeded; the same array when it was not remembered. */
export function resumeModel(resting: readonly ModelPause[], model: string): readonly ModelPause[] {
  return resting.some((rest) => rest.model === model) ? resting.filter((rest) => rest.model !== model) : resting;
}

/** Removes models that are no longer listed, so that they start without a pause if they return; the same array when all are listed. */
export function dropUnlistedPauses(resting: readonly ModelPause[], listed: readonly string[]): readonly ModelPause[] {
  return resting.every(({ model }) => listed.includes(model)) ? resting : resting.filter(({ model }) => listed.includes(model));
}

/** Whether a model is paused at the time `now`. */
export function isPaused(resting: readonly ModelPause[], model: string, now: number): boolean {
  return resting.some((rest) => rest.model === model && rest.until > now);
}
