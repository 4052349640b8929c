import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type OpenCall } from './call.ts';
import { LostCallError } from './status.ts';

/** Counts the calls of a server that are under way, and refuses new ones while it drains and once it is closed. */
export class Gate {
  readonly #report: (error: GatewayError, method: string) => void;
  #live = 0;
  #refusal: (() => GatewayError) | undefined;
  #waiting: (() => void)[] = [];

  /** `report` hears of errors that no handler meant to throw. */
  constructor(report: (error: GatewayError, method: string) => void) {
    this.#report = report;
  }

  /** Counts a call in; throws SHUTTING_DOWN while draining and SERVICE_UNAVAILABLE once closed. */
  enter(): void {
    if (this.#refusal) throw this.#refusal();
    this.#live++;
  }

  leave(): void {
    if (--this.#live > 0) return;
    for (const idle of this.#waiting.splice(0)) idle();
  }

  /** What a handler's error means to its caller. What is no coded error is told to the process, unless the call had been given up. */
  failure(thrown: unknown, call: OpenCall | undefined, method: string): GatewayError {
    if (call?.abandoned && isAbort(thrown)) return call.abandoned;
    const error = toGatewayError(thrown);
    if (error.condition === 'INTERNAL_ERROR') this.#report(error, method);
    return error;
  }

  /** Refuses new calls and waits for those under way. */
  async drain(): Promise<void> {
    this.#refusal ??= () => new GatewayError('SHUTTING_DOWN', 'the service is shutting down', { retryAfterMs: 1_000 });
    if (this.#live > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#refusal = closed;
  }
}

/** What is left under way when a service closes fails with this, as it does when a connection breaks. */
export function closed(): GatewayError {
  return new LostCallError(new Error('the service closed'));
}

/** What Node's own functions throw when the signal they were given aborts. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
