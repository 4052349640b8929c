import { type Caller } from '@parley/kit/rpc/call';
import { type GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../domain/json.ts';
import { type StepResponse } from '../domain/step-response.ts';
import { type BuiltInFunction, type Step } from '../domain/workflow.ts';

/** A step to execute, with every runtime expression resolved. */
export interface StepRequest {
  runId: string;
  /** The owner of the run; calls to the gateway's services have this caller. */
  caller: Caller;
  /** `traceparent` of the step's span, for the calls of the step. */
  traceparent: string;
  /** The connection of the run; empty when it has none. */
  connectionId: string;
  step: Step;
  parameters: Readonly<Record<string, JsonValue>>;
  payload: JsonValue | undefined;
  /** Run id and step id: the same for every attempt of the step, so that the API can deduplicate it. */
  idempotencyKey: string;
  /** How often the step failed and was retried; interruptions do not count. */
  retries: number;
}

/** The execution of a step had no response. */
export class StepError extends Error {
  override name = 'StepError';
  readonly error: GatewayError;
  /** `none`: the step had no effect; `unknown`: it may have had one, as the response was lost. */
  readonly effect: 'none' | 'unknown';

  constructor(error: GatewayError, effect: 'none' | 'unknown') {
    super(error.message, { cause: error });
    this.error = error;
    this.effect = effect;
  }
}

/**
 * Executes steps of one kind. Resolves with a response of any status code; rejects with StepError when there is none. Stops when the signal
 * aborts.
 */
export interface StepExecutor {
  execute(request: StepRequest, signal: AbortSignal): Promise<StepResponse>;
}

/** The executors by kind of step. */
export type StepExecutors = Readonly<Record<'http' | BuiltInFunction, StepExecutor>>;

/** Returns the idempotency key for the gateway's services. They return the result of the first request, so a retry has another key. */
export function toInternalIdempotencyKey({ idempotencyKey, retries }: Pick<StepRequest, 'idempotencyKey' | 'retries'>): string {
  return retries === 0 ? idempotencyKey : `${idempotencyKey}:retry-${retries}`;
}
