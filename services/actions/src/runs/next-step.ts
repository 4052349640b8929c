import { type Criterion, type Step, type Workflow } from '../domain/workflow.ts';
import { isCriterionMet } from '../expressions/criteria.ts';
import { type EvaluationContext } from '../expressions/evaluation-context.ts';

/** What a run does after a step: another step, a retry of the same step after `waitMs`, or its end. */
export type StepTransition =
  | { kind: 'step'; stepId: string }
  | { kind: 'retry'; waitMs: number }
  | { kind: 'end'; ending: 'completed' | 'failed' };

/** Returns what follows a step that succeeded: the first of its actions whose criteria are met, else the next step of the document. */
export function nextAfterSuccess(workflow: Workflow, step: Step, context: EvaluationContext): StepTransition {
  for (const { type, stepId, criteria } of step.onSuccess) {
    if (!holdAll(criteria, context)) continue;
    return type === 'goto' && stepId !== undefined ? { kind: 'step', stepId } : { kind: 'end', ending: 'completed' };
  }
  const following = workflow.steps[workflow.steps.indexOf(step) + 1];
  return following ? { kind: 'step', stepId: following.id } : { kind: 'end', ending: 'completed' };
}

/** What decides about a retry of a failed step: its retries so far, whether it is repeatable, and the API's `Retry-After`. */
export interface RetryState {
  /** Number of retries of the step so far. */
  retries: number;
  /** Whether the step may be executed again. */
  repeatable: boolean;
  /** The `Retry-After` of the response, in milliseconds. */
  retryAfterMs: number | undefined;
}

/**
 * Returns what follows a step that failed: the first of its actions whose criteria are met, else the end. Skips a retry whose limit is
 * reached, or that would write twice. `Retry-After` takes precedence over the document (Arazzo 1.0.1, Failure Action Object).
 */
export function nextAfterFailure(
  step: Step,
  context: EvaluationContext,
  { retries, repeatable, retryAfterMs }: RetryState,
): StepTransition {
  for (const { type, stepId, retryAfter, retryLimit, criteria } of step.onFailure) {
    if (!holdAll(criteria, context)) continue;
    if (type === 'goto' && stepId !== undefined) return { kind: 'step', stepId };
    if (type === 'end') break;
    if (type === 'retry' && repeatable && retries < retryLimit) {
      return { kind: 'retry', waitMs: Math.round(retryAfterMs ?? retryAfter * 1_000) };
    }
  }
  return { kind: 'end', ending: 'failed' };
}

/** Whether all criteria are met; true for an empty list. */
function holdAll(criteria: readonly Criterion[], context: EvaluationContext): boolean {
  return criteria.every((criterion) => isCriterionMet(criterion, context));
}
