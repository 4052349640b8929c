import { type WorkControl } from '@parley/kit/leases/leased-workers';
import { type Caller } from '@parley/kit/rpc/call';
import { counter } from '@parley/kit/telemetry/meter';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { toErrorData, type NewRunEvent } from '../domain/run-event.ts';
import { hasEnded } from '../domain/run.ts';
import { type RunOutcome, isHigherRisk } from '../domain/verdict.ts';
import { type Step, type Workflow } from '../domain/workflow.ts';
import { type RunEnd, endRun } from '../store/end-run.ts';
import { type LeasedRun, releaseRun } from '../store/leases.ts';
import { beginRun, finishStep, type StepEnd, startStep } from '../store/run-log.ts';
import { assignFileInputs } from './assign-file-inputs.ts';
import { executeStep, stepFailedError, type StepResult } from './execute-step.ts';
import { type StepTransition, nextAfterFailure, nextAfterSuccess } from './next-step.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { toRunEnd } from './run-end.ts';
import { type RunProgress } from './run-progress.ts';
import { type WorkDeps } from './work-deps.ts';

/** Maximum number of executions in a run; ends endless loops of a document. */
const MAX_EXECUTIONS = 200;
/** Maximum number of abandoned attempts of one step: with more, the next worker ends the run. */
const MAX_CRASHES = 5;
/** How long to wait before requesting files again after a failure, in milliseconds. */
const FILES_WAIT_MS = 2_000;

const STEPS = counter('parley_run_steps_total');

/** Signals to the worker of a run, and the trace context of its span. */
export interface RunControl extends WorkControl {
  traceparent: string;
}

/** One worker's work on one run: step by step from the end of its run log. */
export class RunExecutor {
  readonly #deps: WorkDeps;
  readonly #workflow: Workflow;
  readonly #progress: RunProgress;
  readonly #control: RunControl;
  readonly #caller: Caller;
  #run: LeasedRun;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(deps: WorkDeps, run: LeasedRun, workflow: Workflow, progress: RunProgress, control: RunControl) {
    this.#deps = deps;
    this.#workflow = workflow;
    this.#progress = progress;
    this.#control = control;
    this.#run = this.#adopt(run);
    const { workspaceId, keyId, userId } = run;
    this.#caller = { workspaceId, keyId, userId, scopes: [], requestId: run.requestId || run.id };
  }

  /** Executes steps until the run has ended, waits or is released; returns its last state. @throws LeaseLostError */
  async executeSteps(): Promise<LeasedRun> {
    const [first] = this.#workflow.steps;
    const { crashes } = this.#run;
    if (crashes > MAX_CRASHES) {
      return this.#end('failed', new GatewayError('INTERNAL_ERROR', `${crashes} consecutive attempts of the same step were abandoned`));
    }
    const { store, limits } = this.#deps;
    if (this.#run.status === 'accepted') {
      this.#adopt(await this.#persist(() => beginRun(store, this.#run, first?.id ?? '', limits.runTimeoutMs)));
    }
    if (this.#run.status === 'running' && this.#run.executions === 0 && !(await this.#takeFiles())) return this.#run;
    while (this.#run.status === 'running') {
      const step = this.#workflow.steps.find(({ id }) => id === this.#run.nextStep);
      if (!step) return this.#end('completed');
      const obstacle = this.#obstacle(step);
      if (obstacle) return this.#end('failed', obstacle);
      if (this.#control.isStopping()) return this.#giveBack(0);
      if (!(await this.#take(step))) return this.#run;
    }
    return hasEnded(this.#run.status) ? this.#run : this.#end('cancelled');
  }

  /** Assigns the file inputs to the run before its first step. Returns false when the run was released or ended instead. */
  async #takeFiles(): Promise<boolean> {
    const { id: runId } = this.#run;
    const request = { runId, inputs: this.#progress.inputs, caller: this.#caller, traceparent: this.#control.traceparent };
    try {
      await assignFileInputs(this.#deps.assets, this.#workflow, request, this.#control.signal);
      return true;
    } catch (error) {
      if (this.#control.signal.aborted) throw this.#control.signal.reason;
      const failure = toGatewayError(error);
      const overdue = performance.now() >= this.#deadline;
      await (failure.row.retryable && !overdue ? this.#giveBack(FILES_WAIT_MS) : this.#end('failed', failure));
      return false;
    }
  }

  /** Returns why a step must not be executed; undefined when it may be. */
  #obstacle(step: Step): GatewayError | undefined {
    const { limits } = this.#deps;
    if (!this.#progress.canExecute(step)) {
      const doubt = this.#progress.interruptedExecution
        ? 'its worker was interrupted, so it is unknown whether it was'
        : 'it was, or may have been, before';
      return stepFailedError(`step ${step.id} writes and may be done only once: ${doubt}`);
    }
    if (performance.now() >= this.#deadline) return new GatewayError('TIMEOUT', `the run took longer than ${limits.runTimeoutMs} ms`);
    if (this.#run.executions >= MAX_EXECUTIONS) return stepFailedError(`the run has done ${MAX_EXECUTIONS} steps, which is the limit`);
    if (isHigherRisk(step.risk, limits.maxRisk)) {
      return new GatewayError('ACTION_RISK_BLOCKED', `steps with the risk ${step.risk}, such as ${step.id}, may not be done here`);
    }
    return undefined;
  }

  /** Records the start of a step, executes it, and records its outcome. Returns false when the run was released. */
  async #take(step: Step): Promise<boolean> {
    const { store, executors, limits } = this.#deps;
    const { interruptedExecution } = this.#progress;
    const ordinal = this.#run.executions + 1;
    const attempt = this.#progress.getNextAttempt(step);
    this.#adopt(await this.#persist(() => startStep(store, this.#run, step, { ordinal, attempt, interruptedExecution })));
    if (this.#run.status === 'cancelling') return true;
    this.#progress.recordStart(step, ordinal, attempt);
    const { id: runId, connectionId, retries } = this.#run;
    const timeoutMs = Math.ceil(Math.max(1, Math.min(limits.stepTimeoutMs, this.#deadline - performance.now())));
    const { operation } = step;
    const kind = operation.kind === 'http' ? operation.kind : operation.name;
    const attributes = { 'parley.run.id': runId, 'parley.step.id': step.id, 'parley.step.kind': kind, 'parley.step.attempt': attempt };
    const span = startSpan('action.step', { parent: this.#control.traceparent, attributes });
    const request = { runId, connectionId, caller: this.#caller, traceparent: span.traceparent, step, retries, timeoutMs };
    const began = performance.now();
    const result = await executeStep(executors[kind], { ...request, context: this.#progress.toEvaluationContext() }, this.#signalFor(step));
    span.end(result.outcome.error?.condition);
    STEPS.add({ kind, outcome: result.outcome.status });
    this.#progress.recordOutcome(result.outcome);
    const end = this.#conclude(step, result, { ordinal, attempt, ms: Math.round(performance.now() - began) });
    this.#adopt(await this.#persist(() => finishStep(store, this.#run, end)));
    return hasEnded(this.#run.status) || end.waitMs === 0;
  }

  /** Returns the abort signal of a step: a cancel aborts a reading step; a writing step is awaited. */
  #signalFor({ risk }: Step): AbortSignal {
    const { signal, endRequested } = this.#control;
    return risk === 'read' ? AbortSignal.any([signal, endRequested]) : signal;
  }

  /** Returns what to record of an executed step. */
  #conclude(step: Step, result: StepResult, { ordinal, attempt, ms }: { ordinal: number; attempt: number; ms: number }): StepEnd {
    const { outcome } = result;
    const next = this.#next(step, result);
    const data = { attempt, ms, ...(outcome.statusCode !== null && { status_code: outcome.statusCode }) };
    const event: NewRunEvent = outcome.error
      ? { type: 'step.failed', stepId: step.id, data: { ...data, error: toErrorData(outcome.error) } }
      : { type: 'step.succeeded', stepId: step.id, data };
    const base = { ordinal, outcome, events: [event], end: undefined };
    switch (next.kind) {
      case 'step':
        return { ...base, position: { nextStep: next.stepId, retries: 0 }, waitMs: 0 };
      case 'retry': {
        const data = { attempt: attempt + 1, reason: next.isInterrupted ? 'interrupted' : 'failed', wait_ms: next.waitMs };
        const retries = this.#run.retries + (next.isInterrupted ? 0 : 1);
        const events: NewRunEvent[] = [event, { type: 'step.retrying', stepId: step.id, data }];
        // An interrupted run is released immediately.
        return { ...base, events, position: { nextStep: step.id, retries }, waitMs: next.isInterrupted ? 1 : next.waitMs };
      }
      case 'end':
        return { ...base, position: { nextStep: null, retries: 0 }, waitMs: 0, end: this.#toRunEnd(next.ending, outcome.error) };
    }
  }

  #next(step: Step, { outcome, response, retryAfterMs }: StepResult): StepTransition & { isInterrupted?: boolean } {
    const context = this.#progress.toEvaluationContext(response);
    if (outcome.status === 'succeeded') return nextAfterSuccess(this.#workflow, step, context);
    const repeatable = this.#progress.canExecute(step);
    if (this.#control.endRequested.aborted && response === undefined) return { kind: 'end', ending: 'failed' };
    if (this.#control.signal.aborted && response === undefined) {
      return repeatable ? { kind: 'retry', waitMs: 0, isInterrupted: true } : { kind: 'end', ending: 'failed' };
    }
    return nextAfterFailure(step, context, { retries: this.#run.retries, repeatable, retryAfterMs });
  }

  /** Ends the run; as cancelled if a cancel has arrived in the meantime. */
  async #end(ending: RunOutcome, error?: GatewayError): Promise<LeasedRun> {
    const { store } = this.#deps;
    const ended = await this.#persist(() => endRun(store, this.#run, this.#toRunEnd(ending, error)));
    if (hasEnded(ended.status)) return this.#adopt(ended);
    return this.#adopt(await this.#persist(() => endRun(store, this.#run, this.#toRunEnd('cancelled'))));
  }

  #toRunEnd(ending: RunOutcome, error?: GatewayError): RunEnd {
    return toRunEnd(this.#workflow, this.#progress, ending, error, this.#deps.limits.maxRiskWithoutReview);
  }

  async #giveBack(delayMs: number): Promise<LeasedRun> {
    await this.#persist(() => releaseRun(this.#deps.store, this.#run, delayMs));
    return this.#run;
  }

  #persist<T>(move: () => Promise<T>): Promise<T> {
    return retryWhileUnavailable(move, this.#control.signal);
  }

  /** Sets the state of the run and its deadline. The database determines the remaining time; this process's clock only measures it. */
  #adopt(run: LeasedRun): LeasedRun {
    this.#run = run;
    this.#deadline = run.leftMs === null ? Number.POSITIVE_INFINITY : performance.now() + run.leftMs;
    return run;
  }
}
