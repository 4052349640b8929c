import { type StepResponse } from './step-response.ts';
import { type Effect, type RunLogEntry, type RunStatus, type Verdict } from './run.ts';
import { type Risk } from './workflow.ts';

/** The effect of a writing step over all its executions. */
export interface AppliedEffect {
  stepId: string;
  risk: Exclude<Risk, 'read'>;
  outcome: Exclude<Effect, 'none'>;
  at: Date;
}

/** Why a run ended: all steps were done, one failed, or it was cancelled. */
export type RunOutcome = 'completed' | 'failed' | 'cancelled';

/** In ascending order. */
export const RISKS: readonly Risk[] = ['read', 'write', 'irreversible'];

/** Whether one risk is greater than another. */
export function exceeds(risk: Risk, other: Risk): boolean {
  return RISKS.indexOf(risk) > RISKS.indexOf(other);
}

/** The effect of a step by the status of its response: 2xx applied, 4xx none, any other unknown. */
export function toEffect(risk: Risk, { statusCode }: Pick<StepResponse, 'statusCode'>): Effect {
  if (risk === 'read') return 'none';
  if (statusCode >= 200 && statusCode < 300) return 'applied';
  return statusCode >= 400 && statusCode < 500 ? 'none' : 'unknown';
}

/**
 * The effects of the writing steps of a run, in the order of their first execution. One applied execution makes the step applied; a later
 * rejection does not resolve an unknown effect.
 */
export function toEffects(runLog: readonly RunLogEntry[]): AppliedEffect[] {
  const effects = new Map<string, AppliedEffect>();
  for (const { stepId, risk, effect, startedAt, endedAt } of runLog) {
    if (risk === 'read' || effect === 'none') continue;
    const known = effects.get(stepId);
    if (known?.outcome === 'applied' || (known && effect === 'unknown')) continue;
    effects.set(stepId, { stepId, risk, outcome: effect, at: endedAt ?? startedAt });
  }
  return [...effects.values()];
}

/**
 * The verdict of a run: `passed` when every criterion was true, `failed` when one was not and nothing has been written, and `needs_review` when something
 * was written and it is not certain that all of it was meant to be, or when what was written is beyond what passes without a person's look.
 */
export function decideVerdict(ending: RunOutcome, effects: readonly Pick<AppliedEffect, 'risk' | 'outcome'>[], unreviewed: Risk): Verdict {
  if (effects.length === 0) return ending === 'completed' ? 'passed' : ending === 'failed' ? 'failed' : '';
  if (ending !== 'completed' || effects.some(({ outcome }) => outcome === 'unknown')) return 'needs_review';
  return effects.some(({ risk }) => exceeds(risk, unreviewed)) ? 'needs_review' : 'passed';
}

/** The final status of a run. */
export function toFinalStatus(ending: RunOutcome, verdict: Verdict): RunStatus {
  if (ending === 'cancelled') return 'cancelled';
  return verdict === 'passed' ? 'succeeded' : verdict === 'failed' ? 'failed' : 'needs_review';
}
