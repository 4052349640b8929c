import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type OpenCall } from './call.ts';
import { LostCallError } from './status.ts';

/** Counts the calls in progress of a server, and refuses new ones while it drains and after it is closed. */
export class CallTracker {
  readonly #report: (error: GatewayError, method: string) => void;
  #live = 0;
  #refusal: (() => GatewayError) | undefined;
  #waiting: (() => void)[] = [];

  /** `report` is called with unexpected errors of handlers. */
  constructor(report: (error: GatewayError, method: string) => void) {
    this.#report = report;
  }

  /** Counts a call that starts; throws SHUTTING_DOWN while draining and SERVICE_UNAVAILABLE after it is closed. */
  enter(): void {
    if (this.#refusal) throw this.#refusal();
    this.#live++;
  }

  leave(): void {
    if (--this.#live > 0) return;
    for (const idle of this.#waiting.splice(0)) idle();
  }

  /** Maps a handler's error to the caller's error. Reports an error without a code, unless the call was aborted. */
  toFailure(thrown: unknown, call: OpenCall | undefined, method: string): GatewayError {
    if (call?.abandoned && isAbort(thrown)) return call.abandoned;
    const error = toGatewayError(thrown);
    if (error.condition === 'INTERNAL_ERROR') this.#report(error, method);
    return error;
  }

  /** Refuses new calls and waits for those in progress. */
  async drain(): Promise<void> {
    this.#refusal ??= () => new GatewayError('SHUTTING_DOWN', 'the service is shutting down', { retryAfterMs: 1_000 });
    if (this.#live > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#refusal = serviceClosed;
  }
}

/** The error of calls in progress when a service closes; the same as when a connection breaks. */
export function serviceClosed(): GatewayError {
  return new LostCallError(new Error('the service closed'));
}

/** Whether Node's own functions threw this because their signal aborted. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
