import { type RunLogEntry } from '../domain/run.ts';
import { type Step } from '../domain/workflow.ts';

/** Whether a step may be done, given what the run has done so far: one that writes is done once, unless the other side tells repetitions by a key. */
export function mayBeDone({ id, risk, idempotencyHeader }: Step, journal: readonly RunLogEntry[]): boolean {
  if (risk === 'read' || idempotencyHeader !== undefined) return true;
  return journal.every(({ stepId, effect }) => stepId !== id || effect === 'none');
}
