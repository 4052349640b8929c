import { counter } from '@parley/kit/telemetry/meter';
import { type GatewayError } from '@parley/protos/errors';
import { getEarliestCooldownMs } from '../connections/connection-plan.ts';
import { getConnectionTelemetry } from '../connections/connection-telemetry.ts';
import { pickMostUsefulError } from '../domain/attempts.ts';
import { AttemptLog } from './attempt-log.ts';
import { Attempt, type AttemptEnd } from './attempt.ts';
import { type Route } from './route.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

const FAILOVERS = counter('parley_failovers_total');

/** The attempts of one turn: the current or last one, and a log of the failed ones. */
export class TurnAttempts {
  readonly #deps: TurnDeps;
  readonly #context: TurnContext;
  #current: Attempt;
  /** Unset until an attempt has failed. */
  #log: AttemptLog | undefined;
  #upstreamMs = 0;

  constructor(deps: TurnDeps, context: TurnContext) {
    this.#deps = deps;
    this.#context = context;
    this.#current = new Attempt(context.route);
  }

  /** The route of the current attempt. */
  get route(): Route {
    return this.#current.route;
  }

  /** Number of connections that were tried before the current attempt. */
  get triedConnections(): number {
    return this.#log?.connections.size ?? 0;
  }

  /** The attempts to record; undefined when there are none. */
  get log(): AttemptLog | undefined {
    return this.#log;
  }

  /** Total duration of the finished attempts in milliseconds. */
  get upstreamMs(): number {
    return this.#upstreamMs;
  }

  /** W3C `traceparent` for the request of the current attempt; empty when the turn is not traced. */
  get traceparent(): string {
    return this.#current.traceparent;
  }

  /** Marks that the turn is being sent to the upstream. */
  begin(): void {
    const { clock, span } = this.#context;
    clock.note('asked');
    this.#current.begin(span);
  }

  /** Marks that the upstream accepted the turn. */
  markAccepted(): void {
    this.#context.clock.note('accepted');
    this.#current.markAccepted();
  }

  /** Marks the arrival of the first text, reasoning or artifact of the answer. */
  markFirstToken(): void {
    this.#context.clock.note('firstToken');
    this.#current.markFirstToken();
  }

  /** Closes the current attempt as failed; returns the log of all failed attempts. Used when another attempt may follow. */
  fail(error: GatewayError, end: AttemptEnd): AttemptLog {
    const { start, call } = this.#context;
    this.#close(end);
    const log = (this.#log ??= new AttemptLog());
    log.add({ connectionId: this.route.connection.id, durationMs: this.#current.durationMs, error });
    log.logLastFailure(this.#deps.log, { turnId: start.turnId, requestId: call.caller.requestId });
    return log;
  }

  /** Creates the next attempt, on a route that holds a slot of its connection. Counts a failover when the connection differs. */
  createNext(route: Route): void {
    if (route.connection !== this.route.connection) FAILOVERS.add(getConnectionTelemetry(this.route.connection).labels);
    this.#current = new Attempt(route);
  }

  /** Closes the current attempt as the last one of the turn. */
  closeLast(end: AttemptEnd): void {
    const { error, isAccepted } = end;
    const attempt = this.#current;
    this.#close(end);
    // A turn whose first attempt was accepted records no list of attempts; a turn that no upstream accepted records the errors.
    if (!this.#log && (!error || isAccepted || !attempt.hasBegun)) return;
    this.#log ??= new AttemptLog();
    this.#log.add({ connectionId: attempt.route.connection.id, durationMs: attempt.durationMs, error });
  }

  /** Returns the error for the client of a turn that no upstream accepted: the most useful one of all attempts. */
  finalError(error: GatewayError): GatewayError {
    const { plan, connection } = this.route;
    const [first = error, ...others] = this.#log?.errors ?? [];
    return pickMostUsefulError([first, ...others], getEarliestCooldownMs(plan ? plan.tiers.flat() : [connection]));
  }

  #close(end: AttemptEnd): void {
    this.#upstreamMs += this.#current.durationMs;
    this.#current.close(this.#deps, this.#context.start.conversationId, end);
  }
}
