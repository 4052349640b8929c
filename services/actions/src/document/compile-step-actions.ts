import { type FailureAction, type SuccessAction } from '../domain/workflow.ts';
import { type ArazzoAction } from './arazzo.ts';
import { type ExpressionScope } from './check-expressions.ts';
import { compileCriteria } from './compile-criteria.ts';
import { type FindingReporter } from './finding-reporter.ts';

/** Longest delay of a retry in seconds, and maximum number of retries of a step. */
const MAX_RETRY_AFTER = 3_600;
const MAX_RETRIES = 10;

/** The position of a success or failure action in the document. */
export interface StepActionScope {
  scope: ExpressionScope;
  /** Ids of the steps after this one. */
  laterStepIds: readonly string[];
  location: FindingReporter;
}

/** Compiles the success actions of a step; reports findings. */
export function compileSuccessActions(actions: readonly ArazzoAction[], where: StepActionScope): readonly SuccessAction[] {
  return actions.map((action, index) => {
    const location = where.location.at(index);
    const criteria = compileTarget(action, { ...where, location });
    return { type: action.type === 'goto' ? 'goto' : 'end', stepId: action.stepId, criteria };
  });
}

/** Compiles the failure actions of a step; reports findings. */
export function compileFailureActions(actions: readonly ArazzoAction[], where: StepActionScope): readonly FailureAction[] {
  return actions.map((action, index) => {
    const { type = 'end', stepId, retryAfter = 0, retryLimit = 1 } = action;
    const location = where.location.at(index);
    const criteria = compileTarget(action, { ...where, location });
    if (retryAfter < 0 || retryAfter > MAX_RETRY_AFTER)
      location.at('retryAfter').report(`A retry waits at most ${MAX_RETRY_AFTER} seconds.`);
    if (!Number.isInteger(retryLimit) || retryLimit < 0 || retryLimit > MAX_RETRIES) {
      location.at('retryLimit').report(`A step is retried at most ${MAX_RETRIES} times.`);
    }
    return { type, stepId, retryAfter, retryLimit, criteria };
  });
}

/** Compiles the criteria of an action and checks its target, which must be a later step, so that every run ends. */
function compileTarget(
  { reference, type, workflowId, stepId, criteria }: ArazzoAction,
  { scope, laterStepIds, location }: StepActionScope,
) {
  if (reference !== undefined) location.report("References to 'components' are not supported; write the action here.");
  if (workflowId !== undefined) location.at('workflowId').report('An action has one workflow; it cannot go to another.');
  if (type === 'goto') {
    if (stepId === undefined) location.report("'stepId' must say where 'goto' goes.");
    else if (!laterStepIds.includes(stepId))
      location.at('stepId').report(`'goto' goes to a later step, so that every run ends; '${stepId}' is none.`);
  } else if (stepId !== undefined) {
    location.at('stepId').report(`'stepId' is of no use with '${String(type)}'.`);
  }
  return compileCriteria(criteria, scope, location.at('criteria'));
}
