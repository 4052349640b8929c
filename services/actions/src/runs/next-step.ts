import { type EvaluationContext } from '../expressions/context.ts';
import { isMet } from '../expressions/criteria.ts';
import { type Criterion, type Step, type Workflow } from '../domain/workflow.ts';

/** What follows a step. */
export type Next = { kind: 'step'; stepId: string } | { kind: 'retry'; waitMs: number } | { kind: 'end'; ending: 'completed' | 'failed' };

/** What follows a step that succeeded: the first of its actions whose criteria hold, else the next step of the document. */
export function nextAfterSuccess(workflow: Workflow, step: Step, context: EvaluationContext): Next {
  for (const { type, stepId, criteria } of step.onSuccess) {
    if (!holdAll(criteria, context)) continue;
    return type === 'goto' && stepId !== undefined ? { kind: 'step', stepId } : { kind: 'end', ending: 'completed' };
  }
  const following = workflow.steps[workflow.steps.indexOf(step) + 1];
  return following ? { kind: 'step', stepId: following.id } : { kind: 'end', ending: 'completed' };
}

/** What has been tried so far, and what the other side said of it. */
export interface Attempts {
  /** Retries of the current step. */
  retries: number;
  /** Whether the step may be done again at all. */
  repeatable: boolean;
  /** The `Retry-After` of the response, in milliseconds. */
  retryAfterMs: number | undefined;
}

/**
 * What follows a step that failed: the first of its actions whose criteria hold, else the end. A repetition whose limit is used up, or that would write twice,
 * is passed over. `Retry-After` takes precedence over the document (Arazzo 1.0.1, Failure Action Object).
 */
export function nextAfterFailure(step: Step, context: EvaluationContext, { retries, repeatable, retryAfterMs }: Attempts): Next {
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

/** Whether all criteria are true, as they are when there are none. */
function holdAll(criteria: readonly Criterion[], context: EvaluationContext): boolean {
  return criteria.every((criterion) => isMet(criterion, context));
}
