import { type RunLogEntry } from '../domain/run.ts';
import { type Step } from '../domain/workflow.ts';

/** Whether a step may be executed, given the run log: a step that writes is executed once, unless its receiver deduplicates by an idempotency key. */
export function mayExecute({ id, risk, idempotencyHeader }: Step, runLog: readonly RunLogEntry[]): boolean {
  if (risk === 'read' || idempotencyHeader !== undefined) return true;
  return runLog.every(({ stepId, effect }) => stepId !== id || effect === 'none');
}
