import { type StepResponse } from './step-response.ts';
import { type Effect, type RunLogEntry, type RunStatus, type Verdict } from './run.ts';
import { type Risk } from './workflow.ts';

/** What a writing step did, over all its executions. */
export interface AppliedEffect {
  stepId: string;
  risk: Exclude<Risk, 'read'>;
  outcome: Exclude<Effect, 'none'>;
  at: Date;
}

/** How a run came to its end: its steps were done, one of them failed, or somebody asked it to stop. */
export type RunOutcome = 'completed' | 'failed' | 'cancelled';

/** From harmless to final. */
export const RISKS: readonly Risk[] = ['read', 'write', 'irreversible'];

/** Whether one risk is greater than another. */
export function exceeds(risk: Risk, other: Risk): boolean {
  return RISKS.indexOf(risk) > RISKS.indexOf(other);
}

/** What an answer says of the effect of its step: a refusal did nothing, success did it, and of anything else nobody knows. */
export function toEffect(risk: Risk, { statusCode }: Pick<StepResponse, 'statusCode'>): Effect {
  if (risk === 'read') return 'none';
  if (statusCode >= 200 && statusCode < 300) return 'applied';
  return statusCode >= 400 && statusCode < 500 ? 'none' : 'unknown';
}

/**
 * What the writing steps of a run did, in the order in which they were first begun. Done once is done, whatever its other executions say; what one
 * execution left open another one's refusal does not close.
 */
export function toEffects(journal: readonly RunLogEntry[]): AppliedEffect[] {
  const effects = new Map<string, AppliedEffect>();
  for (const { stepId, risk, effect, startedAt, endedAt } of journal) {
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

/** The status that a run ends with. */
export function toFinalStatus(ending: RunOutcome, verdict: Verdict): RunStatus {
  if (ending === 'cancelled') return 'cancelled';
  return verdict === 'passed' ? 'succeeded' : verdict === 'failed' ? 'failed' : 'needs_review';
}
