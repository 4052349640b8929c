import { type Effect, type RunLogEntry, type RunStatus, type Verdict } from './run.ts';
import { type StepResponse } from './step-response.ts';
import { type Risk } from './workflow.ts';

/** The effect of a writing step over all its executions. */
export interface WriteEffect {
  stepId: string;
  risk: Exclude<Risk, 'read'>;
  outcome: Exclude<Effect, 'none'>;
  at: Date;
}

/** Why a run ended: all steps were completed, one failed, or it was cancelled. */
export type RunOutcome = 'completed' | 'failed' | 'cancelled';

/** Risks in ascending order. */
export const RISKS: readonly Risk[] = ['read', 'write', 'irreversible'];

/** Whether `risk` is higher than `other`. */
export function isHigherRisk(risk: Risk, other: Risk): boolean {
  return RISKS.indexOf(risk) > RISKS.indexOf(other);
}

/** Returns the effect of a step by the status of its response: 2xx applied, 4xx none, any other unknown; always none for a reading step. */
export function toEffect(risk: Risk, { statusCode }: Pick<StepResponse, 'statusCode'>): Effect {
  if (risk === 'read') return 'none';
  if (statusCode >= 200 && statusCode < 300) return 'applied';
  return statusCode >= 400 && statusCode < 500 ? 'none' : 'unknown';
}

/**
 * Returns the effects of the writing steps of a run, in the order of their first effect. One applied execution makes the step applied; a
 * later rejection does not resolve an unknown effect.
 */
export function listWriteEffects(runLog: readonly RunLogEntry[]): WriteEffect[] {
  const effects = new Map<string, WriteEffect>();
  for (const { stepId, risk, effect, startedAt, endedAt } of runLog) {
    if (risk === 'read' || effect === 'none') continue;
    const known = effects.get(stepId);
    if (known?.outcome === 'applied' || (known && effect === 'unknown')) continue;
    effects.set(stepId, { stepId, risk, outcome: effect, at: endedAt ?? startedAt });
  }
  return [...effects.values()];
}

/**
 * Returns the verdict of a run: `passed` when every criterion was met, `failed` when one was not and nothing was written, and
 * `needs_review` when something was written and it is uncertain that all of it was intended, or when a written effect has a higher risk
 * than `unreviewed`. Empty for a cancelled run without effects.
 */
export function decideVerdict(ending: RunOutcome, effects: readonly Pick<WriteEffect, 'risk' | 'outcome'>[], unreviewed: Risk): Verdict {
  if (effects.length === 0) return ending === 'completed' ? 'passed' : ending === 'failed' ? 'failed' : '';
  if (ending !== 'completed' || effects.some(({ outcome }) => outcome === 'unknown')) return 'needs_review';
  return effects.some(({ risk }) => isHigherRisk(risk, unreviewed)) ? 'needs_review' : 'passed';
}

/** Returns the final status of a run. */
export function toFinalStatus(ending: RunOutcome, verdict: Verdict): RunStatus {
  if (ending === 'cancelled') return 'cancelled';
  return verdict === 'passed' ? 'succeeded' : verdict === 'failed' ? 'failed' : 'needs_review';
}
