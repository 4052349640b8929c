import { type GatewayError } from '@parley/protos/errors';
import { type NewRunEvent } from '../domain/run-event.ts';
import { type RunOutcome, toFinalStatus, decideVerdict } from '../domain/verdict.ts';
import { type Risk, type Workflow } from '../domain/workflow.ts';
import { fillAll } from '../expressions/fill.ts';
import { type RunEnd } from '../store/end-run.ts';
import { MAX_OUTPUT_BYTES, stepFailed } from './execute-step.ts';
import { type Progress } from './progress.ts';

/** Returns the end of a run: its verdict, its output when all steps were completed, and its error when one failed. */
export function toRunEnd(
  workflow: Workflow,
  progress: Progress,
  ending: RunOutcome,
  error: GatewayError | undefined,
  unreviewed: Risk,
): RunEnd {
  const output = ending === 'completed' ? JSON.stringify(fillAll(workflow.outputs, progress.context())) : '';
  if (Buffer.byteLength(output) > MAX_OUTPUT_BYTES) {
    return toRunEnd(workflow, progress, 'failed', stepFailed(`the output has more than ${MAX_OUTPUT_BYTES} bytes`), unreviewed);
  }
  const verdict = decideVerdict(ending, progress.effects, unreviewed);
  return { status: toFinalStatus(ending, verdict), verdict, output, error, events: lastWords(workflow, progress, ending) };
}

/** Returns the events before `run.ended`: of an interrupted step that is not repeated, or of skipped steps. */
function lastWords(workflow: Workflow, { brokenOff, begun }: Progress, ending: RunOutcome): NewRunEvent[] {
  if (brokenOff) return [{ type: 'step.failed', stepId: brokenOff.stepId, data: { attempt: brokenOff.attempt, reason: 'interrupted' } }];
  if (ending !== 'completed') return [];
  return workflow.steps.filter(({ id }) => !begun.has(id)).map(({ id }) => ({ type: 'step.skipped', stepId: id, data: {} }));
}
