import { GatewayError } from '@parley/protos/errors';

/** Counts the calls of a server that are under way, and refuses new ones while it drains. */
export class Gate {
  readonly #report: (error: GatewayError, method?: string) => void;
  #live = 0;
  #draining = false;
  #idle: (() => void) | undefined;

  constructor(report: (error: GatewayError, method?: string) => void) {
    this.#report = report;
  }

  /** Counts a call in; throws SHUTTING_DOWN while draining. */
  enter(): void {
    if (this.#draining) throw new GatewayError('SHUTTING_DOWN', 'the service is shutting down', { retryAfterMs: 1000 });
    this.#live++;
  }

  leave(): void {
    if (--this.#live === 0) this.#idle?.();
  }

  /** Tells the process about an error that no handler meant to throw. */
  report(error: GatewayError, method?: string): void {
    this.#report(error, method);
  }

  /** Refuses new calls and waits for those under way. */
  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#live > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }
}
