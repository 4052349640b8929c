import { type JsonObject } from '../domain/json.ts';
import { type RunLogEntry, type StepOutcome } from '../domain/run.ts';
import { type StepResponse } from '../domain/step-response.ts';
import { type WriteEffect, listWriteEffects } from '../domain/verdict.ts';
import { type Step } from '../domain/workflow.ts';
import { type EvaluationContext } from '../expressions/evaluation-context.ts';

/** The progress of a run according to its run log, which any worker can resume. */
export class RunProgress {
  readonly inputs: JsonObject;
  readonly #log: RunLogEntry[];
  readonly #outputs: Record<string, JsonObject> = Object.create(null) as Record<string, JsonObject>;

  constructor(input: string, runLog: readonly RunLogEntry[]) {
    this.inputs = JSON.parse(input) as JsonObject;
    this.#log = [...runLog];
    for (const { stepId, status, outputs } of runLog) if (status === 'succeeded') this.#outputs[stepId] = JSON.parse(outputs) as JsonObject;
  }

  /** The newest execution if it was interrupted; undefined otherwise. */
  get interruptedExecution(): RunLogEntry | undefined {
    const last = this.#log.at(-1);
    return last?.status === 'started' ? last : undefined;
  }

  /** The effects of the writing steps so far. */
  get effects(): WriteEffect[] {
    return listWriteEffects(this.#log);
  }

  /** Returns the number of the next execution of a step in the run, from 1. */
  getNextAttempt({ id }: Step): number {
    return 1 + this.#log.filter(({ stepId }) => stepId === id).length;
  }

  /** Whether a step may be executed, or executed again. */
  canExecute(step: Step): boolean {
    return mayExecute(step, this.#log);
  }

  /** Ids of the steps that were started. */
  get startedStepIds(): ReadonlySet<string> {
    return new Set(this.#log.map(({ stepId }) => stepId));
  }

  /** Returns the values for expressions; with `response` for the criteria and outputs of the current step. */
  toEvaluationContext(response?: StepResponse): EvaluationContext {
    return { inputs: this.inputs, steps: this.#outputs, response };
  }

  /** Records that an execution of a step has started. */
  recordStart(step: Step, ordinal: number, attempt: number): void {
    const broken = this.interruptedExecution;
    if (broken) this.#log[this.#log.length - 1] = { ...broken, status: 'failed', endedAt: new Date() };
    const effect = step.risk === 'read' ? 'none' : 'unknown';
    const begun = { status: 'started', effect, outputs: '{}', startedAt: new Date(), endedAt: null } as const;
    this.#log.push({ ordinal, attempt, stepId: step.id, risk: step.risk, ...begun });
  }

  /** Records the outcome of the current execution. */
  recordOutcome({ status, effect, outputs }: Pick<StepOutcome, 'status' | 'effect' | 'outputs'>): void {
    const entry = this.interruptedExecution;
    if (!entry) return;
    this.#log[this.#log.length - 1] = { ...entry, status, effect, outputs, endedAt: new Date() };
    if (status === 'succeeded') this.#outputs[entry.stepId] = JSON.parse(outputs) as JsonObject;
  }
}

/** Whether a step may be executed, given the run log: a step that writes is executed once, unless its receiver deduplicates by an idempotency key. */
function mayExecute({ id, risk, idempotencyHeader }: Step, runLog: readonly RunLogEntry[]): boolean {
  if (risk === 'read' || idempotencyHeader !== undefined) return true;
  return runLog.every(({ stepId, effect }) => stepId !== id || effect === 'none');
}
