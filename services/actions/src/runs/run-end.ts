import { type GatewayError } from '@parley/protos/errors';
import { type NewRunEvent } from '../domain/run-event.ts';
import { type RunOutcome, toFinalStatus, decideVerdict } from '../domain/verdict.ts';
import { type Risk, type Workflow } from '../domain/workflow.ts';
import { resolveNamedExpressions } from '../expressions/resolve-expressions.ts';
import { type RunEnd } from '../store/end-run.ts';
import { MAX_OUTPUT_BYTES, stepFailedError } from './execute-step.ts';
import { type RunProgress } from './run-progress.ts';

/** Returns the end of a run: its verdict, its output when all steps were completed, and its error when one failed. */
export function toRunEnd(
  workflow: Workflow,
  progress: RunProgress,
  ending: RunOutcome,
  error: GatewayError | undefined,
  unreviewed: Risk,
): RunEnd {
  const output = ending === 'completed' ? JSON.stringify(resolveNamedExpressions(workflow.outputs, progress.toEvaluationContext())) : '';
  if (Buffer.byteLength(output) > MAX_OUTPUT_BYTES) {
    return toRunEnd(workflow, progress, 'failed', stepFailedError(`the output has more than ${MAX_OUTPUT_BYTES} bytes`), unreviewed);
  }
  const verdict = decideVerdict(ending, progress.effects, unreviewed);
  return { status: toFinalStatus(ending, verdict), verdict, output, error, events: lastWords(workflow, progress, ending) };
}

/** Returns the events before `run.ended`: of an interrupted execution that is not repeated, or of skipped steps. */
function lastWords(workflow: Workflow, { interruptedExecution, startedStepIds }: RunProgress, ending: RunOutcome): NewRunEvent[] {
  if (interruptedExecution)
    return [
      { type: 'step.failed', stepId: interruptedExecution.stepId, data: { attempt: interruptedExecution.attempt, reason: 'interrupted' } },
    ];
  if (ending !== 'completed') return [];
  return workflow.steps.filter(({ id }) => !startedStepIds.has(id)).map(({ id }) => ({ type: 'step.skipped', stepId: id, data: {} }));
}
