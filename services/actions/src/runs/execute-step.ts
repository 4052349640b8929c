import { type Caller } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../domain/json.ts';
import { type Effect, type StepOutcome } from '../domain/run.ts';
import { type StepResponse } from '../domain/step-response.ts';
import { toEffect } from '../domain/verdict.ts';
import { type Step } from '../domain/workflow.ts';
import { isCriterionMet } from '../expressions/criteria.ts';
import { type EvaluationContext } from '../expressions/evaluation-context.ts';
import { resolveExpressions, resolveNamedExpressions } from '../expressions/resolve-expressions.ts';
import { StepError, type StepExecutor, type StepRequest } from '../steps/step-executor.ts';

/** Maximum size of the outputs of a step, and of a run, as JSON in bytes. */
export const MAX_OUTPUT_BYTES = 262_144;

/** The input of one execution of a step. */
export interface StepExecution {
  runId: string;
  caller: Caller;
  /** `traceparent` of the step's span. */
  traceparent: string;
  connectionId: string;
  step: Step;
  /** Number of retries of the step so far. */
  retries: number;
  /** Values for the expressions of the request, without a response. */
  context: EvaluationContext;
  /** Timeout of the execution in milliseconds. */
  timeoutMs: number;
}

/** The result of an execution, with its response. */
export interface StepResult {
  outcome: StepOutcome;
  /** The response without headers that contain secrets; undefined when there was none. */
  response: StepResponse | undefined;
  /** `Retry-After` of the response, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** Executes a step once and evaluates its response. Never throws; a step that the signal aborted fails with the signal's reason. */
export async function executeStep(executor: StepExecutor, execution: StepExecution, signal: AbortSignal): Promise<StepResult> {
  const { step, timeoutMs } = execution;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new GatewayError('TIMEOUT', `step ${step.id} took longer than ${timeoutMs} ms`)), timeoutMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const response = withoutSecrets(await executor.execute(toStepRequest(execution), either));
    return evaluate(execution, response);
  } catch (error) {
    const cause = either.aborted ? toGatewayError(either.reason) : error instanceof StepError ? error.error : toGatewayError(error);
    const effect = step.risk === 'read' ? 'none' : error instanceof StepError ? error.effect : 'unknown';
    return { ...failed(cause, effect, null), response: undefined, retryAfterMs: cause.retryAfterMs };
  } finally {
    clearTimeout(timer);
  }
}

function toStepRequest({ runId, caller, traceparent, connectionId, step, retries, context }: StepExecution): StepRequest {
  const parameters: Record<string, JsonValue> = {};
  for (const { name, value } of step.parameters) {
    const filled = resolveExpressions(value, context);
    if (filled !== undefined) parameters[name] = filled;
  }
  const payload = step.payload === undefined ? undefined : resolveExpressions(step.payload, context);
  return { runId, caller, traceparent, connectionId, step, retries, parameters, payload, idempotencyKey: `${runId}:${step.id}` };
}

function evaluate({ step, context }: StepExecution, response: StepResponse): StepResult {
  const { statusCode } = response;
  const answered = { ...context, response };
  const effect = toEffect(step.risk, response);
  const rest = { response, retryAfterMs: retryAfter(response) };
  const unmet = step.successCriteria.find((criterion) => !isCriterionMet(criterion, answered))?.condition;
  const refused = step.successCriteria.length === 0 && (statusCode < 200 || statusCode >= 300);
  if (unmet !== undefined || refused) {
    const why = unmet === undefined ? 'which is no success' : `and does not meet ${unmet}`;
    const error = stepFailedError(`step ${step.id} was answered with status ${statusCode}, ${why}`);
    return { ...failed(error, effect, statusCode), ...rest };
  }
  const outputs = JSON.stringify(resolveNamedExpressions(step.outputs, answered));
  if (Buffer.byteLength(outputs) > MAX_OUTPUT_BYTES) {
    return {
      ...failed(stepFailedError(`outputs of step ${step.id} have more than ${MAX_OUTPUT_BYTES} bytes`), effect, statusCode),
      ...rest,
    };
  }
  // A success by the document's criteria was intended, so an unknown effect counts as applied.
  return {
    outcome: { status: 'succeeded', effect: effect === 'unknown' ? 'applied' : effect, statusCode, outputs, error: undefined },
    ...rest,
  };
}

function failed(error: GatewayError, effect: Effect, statusCode: number | null): Pick<StepResult, 'outcome'> {
  return { outcome: { status: 'failed', effect, statusCode, outputs: '{}', error } };
}

/** Returns the error of a step that failed: it did not fulfil its document. */
export function stepFailedError(message: string): GatewayError {
  return new GatewayError('ACTION_STEP_FAILED', message);
}

const SECRET = /^(?:proxy-)?(?:authorization|authenticate|authentication-info)$|^www-authenticate$|^set-cookie2?$|^cookie$/;

function withoutSecrets(response: StepResponse): StepResponse {
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !SECRET.test(name.toLowerCase())));
  return { ...response, headers };
}

const MAX_WAIT_MS = 86_400_000;

/** Parses `Retry-After`, seconds or a date (RFC 9110 §10.2.3), to milliseconds; undefined without a valid one. */
function retryAfter({ headers }: StepResponse): number | undefined {
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_WAIT_MS);
}
