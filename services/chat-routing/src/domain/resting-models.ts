import { toBackoff } from './backoff.ts';

/** A model that its upstream did not know. It is remembered for a while after it rested, so that the next rest is longer. */
export interface ModelRest {
  model: string;
  /** Rests in a row. */
  rests: number;
  /** On the local monotonic clock, in milliseconds. */
  until: number;
}

/** How long models rest, in milliseconds. */
export interface RestPolicy {
  modelMs: number;
  maxModelMs: number;
}

/** Models that are remembered for one connection. */
const MAX_RESTING = 100;

/** What rests after the upstream did not know a model; the same array when that rests already. */
export function restModel(resting: readonly ModelRest[], model: string, now: number, policy: RestPolicy): readonly ModelRest[] {
  if (isResting(resting, model, now)) return resting;
  const remembered = resting.filter(({ until }) => until > now - policy.maxModelMs);
  const rests = (remembered.find((rest) => rest.model === model)?.rests ?? 0) + 1;
  const others = remembered.filter((rest) => rest.model !== model).slice(1 - MAX_RESTING);
  return [...others, { model, rests, until: now + toBackoff(policy.modelMs, rests, policy.maxModelMs) }];
}

/** What rests after the upstream answered a turn with a model; the same array when it was not remembered. */
export function wakeModel(resting: readonly ModelRest[], model: string): readonly ModelRest[] {
  return resting.some((rest) => rest.model === model) ? resting.filter((rest) => rest.model !== model) : resting;
}

/** What rests of the models that are still listed; one that comes back later begins without a rest. The same array when all are. */
export function dropUnlisted(resting: readonly ModelRest[], listed: readonly string[]): readonly ModelRest[] {
  return resting.every(({ model }) => listed.includes(model)) ? resting : resting.filter(({ model }) => listed.includes(model));
}

/** Whether a model rests now. */
export function isResting(resting: readonly ModelRest[], model: string, now: number): boolean {
  return resting.some((rest) => rest.model === model && rest.until > now);
}
