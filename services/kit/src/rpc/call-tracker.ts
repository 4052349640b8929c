import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { counter } from '../telemetry/meter.ts';
import { type OpenCall } from './call.ts';
import { LostCallError } from './grpc-status.ts';
import { type Contract } from './method.ts';

const RPC_ERRORS = counter('parley_rpc_errors_total');

/** Receives an unexpected error of a handler; `call` is undefined when the request was rejected before it was read. */
export type HandlerErrorReporter = (error: GatewayError, method: string, call: OpenCall | undefined) => void;

/** Counts the calls in progress of a server, and rejects new ones while it drains and after it is closed. */
export class CallTracker {
  readonly #contract: Contract;
  readonly #report: HandlerErrorReporter;
  #live = 0;
  #refusal: (() => GatewayError) | undefined;
  #waiting: (() => void)[] = [];

  /** `report` is called with unexpected errors of handlers. */
  constructor(contract: Contract, report: HandlerErrorReporter) {
    this.#contract = contract;
    this.#report = report;
  }

  /** Counts a call that starts; throws SHUTTING_DOWN while draining and SERVICE_UNAVAILABLE after it is closed. */
  beginCall(): void {
    if (this.#refusal) throw this.#refusal();
    this.#live++;
  }

  endCall(): void {
    if (--this.#live > 0) return;
    for (const idle of this.#waiting.splice(0)) idle();
  }

  /** Maps a handler's error to the caller's error, and counts it. Reports an error without a code, unless the call was aborted. */
  toFailure(thrown: unknown, call: OpenCall | undefined, method: string): GatewayError {
    const abandoned = isAbort(thrown) ? call?.abortReason : undefined;
    const error = abandoned ?? toGatewayError(thrown);
    if (error.condition === 'INTERNAL_ERROR' && !abandoned) this.#report(error, method, call);
    RPC_ERRORS.add({ method: this.#contract[method]?.path.slice(1) ?? method, code: error.code });
    return error;
  }

  /** Rejects new calls with SHUTTING_DOWN; resolves when no call is in progress. */
  async drain(): Promise<void> {
    this.#refusal ??= () => new GatewayError('SHUTTING_DOWN', 'the service is shutting down', { retryAfterMs: 1_000 });
    if (this.#live > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#refusal = serviceClosedError;
  }
}

/** The error of calls in progress when a service closes; the same as when a connection breaks. */
export function serviceClosedError(): GatewayError {
  return new LostCallError(new Error('the service closed'));
}

/** Whether the error is an AbortError, which Node's APIs throw when their signal aborts. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
