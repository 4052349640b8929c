import { type Caller } from '@parley/kit/rpc/call';
import { type GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../domain/json.ts';
import { type StepResponse } from '../domain/step-response.ts';
import { type BuiltIn, type Step } from '../domain/workflow.ts';

/** A step that is to be done now, with every runtime expression filled in. */
export interface StepRequest {
  runId: string;
  /** Whose run it is; calls to the gateway's own services are made in this name. */
  caller: Caller;
  /** The connection of the run; empty when it has none. */
  connectionId: string;
  step: Step;
  parameters: Readonly<Record<string, JsonValue>>;
  payload: JsonValue | undefined;
  /** Run id and step id: the same for every attempt of the step, so that the other side can do it once. */
  idempotencyKey: string;
  /** How often the step was done, failed, and is to be done again; not how often it broke off. */
  retries: number;
}

/** The step was not answered. */
export class StepError extends Error {
  override name = 'StepError';
  readonly error: GatewayError;
  /** `none`: nothing has happened; `unknown`: it may have, the answer was lost. */
  readonly effect: 'none' | 'unknown';

  constructor(error: GatewayError, effect: 'none' | 'unknown') {
    super(error.message, { cause: error });
    this.error = error;
    this.effect = effect;
  }
}

/** Does steps of one kind. Throws StepError; an answer with any status code is an answer. Stops when the signal aborts. */
export interface StepExecutor {
  execute(request: StepRequest, signal: AbortSignal): Promise<StepResponse>;
}

/** Who does which operations. */
export type StepExecutors = Readonly<Record<'http' | BuiltIn, StepExecutor>>;

/** What the gateway's own services know a request again by. They answer what came of the first, so what failed is asked for under another key. */
export function internalKey({ idempotencyKey, retries }: Pick<StepRequest, 'idempotencyKey' | 'retries'>): string {
  return retries === 0 ? idempotencyKey : `${idempotencyKey}:retry-${retries}`;
}
