import { type GatewayError } from '@parley/protos/errors';
import { toHealthEffect, type HealthEffect, mayFailOver } from '../domain/failure.ts';
import { type PendingAttempt } from '../domain/load-meter.ts';
import { type TurnDeps } from './deps.ts';
import { type Route } from './route.ts';

/** How an attempt, or the turn with it, ended. */
export interface AttemptEnd {
  error?: GatewayError | undefined;
  /** The upstream took the turn. */
  isAccepted: boolean;
  /** The client left before the end. */
  isClientGone: boolean;
}

/** One attempt to put a turn to the connection of a route. It holds a slot of the connection from before it begins until it is closed. */
export class Attempt {
  readonly route: Route;
  /** The secret that the upstream is asked with. */
  #secret: string;
  #pending: PendingAttempt | undefined;

  constructor(route: Route) {
    this.route = route;
    this.#secret = route.account.secret;
  }

  /** The upstream has been asked. */
  get hasBegun(): boolean {
    return this.#pending !== undefined;
  }

  /** Milliseconds since the upstream was asked; 0 before. */
  get durationMs(): number {
    return this.#pending ? performance.now() - this.#pending.at : 0;
  }

  begin(): void {
    const { account } = this.route;
    this.#pending = account.beginAttempt();
    this.#secret = account.secret;
    account.usedSinceTouch = true;
  }

  accept(): void {
    if (this.#pending) this.route.account.accept(this.#pending);
  }

  /**
   * Releases the slot and the right to probe, and records the outcome for the health of the connection, unless the attempt was made with other
   * credentials or before the connection was connected anew.
   */
  close({ accounts }: Pick<TurnDeps, 'accounts'>, conversationId: string, end: AttemptEnd): void {
    const { account, model, probing } = this.route;
    const { error, isClientGone } = end;
    account.limiter.release();
    if (this.#pending) {
      if (error && !isClientGone && mayFailOver(error.condition)) account.fail(this.#pending);
      else account.abandon(this.#pending);
    }
    if (account.isCurrent(this.#secret, this.#pending?.at))
      accounts.health.report(account, toAttemptEffect(end), { model, conversationId });
    if (probing) accounts.health.releaseProbe(account);
    if (error?.condition === 'IMAGE_GENERATION_UNAVAILABLE') accounts.health.feature(account, 'images', false);
  }
}

function toAttemptEffect({ error, isAccepted, isClientGone }: AttemptEnd): HealthEffect {
  if (isClientGone) return isAccepted ? 'ok' : 'unknown';
  return error ? toHealthEffect(error) : 'ok';
}
