import { counter } from '@parley/kit/telemetry/meter';
import { type GatewayError } from '@parley/protos/errors';
import { earliestCooldown } from '../connections/connection-plan.ts';
import { telemetryOf } from '../connections/connection-telemetry.ts';
import { pickMostUsefulError } from '../domain/attempts.ts';
import { Attempt, type AttemptEnd } from './attempt.ts';
import { AttemptLog } from './attempt-log.ts';
import { type Route } from './route.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

const FAILOVERS = counter('parley_failovers_total');

/** The attempts of one turn: the one under way, or the last one, and a log of those that failed. */
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

  /** How many connections were tried before the current attempt. */
  get triedConnections(): number {
    return this.#log?.connections.size ?? 0;
  }

  /** Unset without an attempt to record. */
  get log(): AttemptLog | undefined {
    return this.#log;
  }

  /** Milliseconds that attempts which are over have taken. */
  get upstreamMs(): number {
    return this.#upstreamMs;
  }

  /** For the request of the current attempt. */
  get traceparent(): string {
    return this.#current.traceparent;
  }

  /** The turn is sent to the upstream. */
  begin(): void {
    const { clock, span } = this.#context;
    clock.note('asked');
    this.#current.begin(span);
  }

  /** The upstream has accepted the turn. */
  accept(): void {
    this.#context.clock.note('accepted');
    this.#current.accept();
  }

  /** The first text, reasoning or artifact of the answer has come. */
  firstToken(): void {
    this.#context.clock.note('firstToken');
    this.#current.firstToken();
  }

  /** The current attempt failed and another one may follow; returns the log of all that failed. */
  fail(error: GatewayError, end: AttemptEnd): AttemptLog {
    const { start, call } = this.#context;
    this.#close(end);
    const log = (this.#log ??= new AttemptLog());
    log.add({ connectionId: this.route.connection.id, durationMs: this.#current.durationMs, error });
    log.warn(this.#deps.log, { turnId: start.turnId, requestId: call.caller.requestId });
    return log;
  }

  /** Another attempt follows, with a slot on its connection. */
  follow(route: Route): void {
    if (route.connection !== this.route.connection) FAILOVERS.add(telemetryOf(this.route.connection).labels);
    this.#current = new Attempt(route);
  }

  /** The turn ends with the current attempt. */
  closeLast(end: AttemptEnd): void {
    const { error, isAccepted } = end;
    const attempt = this.#current;
    this.#close(end);
    // A turn that the first upstream accepted needs no list of attempts; one that none accepted has the reasons.
    if (!this.#log && (!error || isAccepted || !attempt.hasBegun)) return;
    this.#log ??= new AttemptLog();
    this.#log.add({ connectionId: attempt.route.connection.id, durationMs: attempt.durationMs, error });
  }

  /** The error for the client of a turn that no upstream has accepted. */
  finalError(error: GatewayError): GatewayError {
    const { plan, connection } = this.route;
    const [first = error, ...others] = this.#log?.errors ?? [];
    return pickMostUsefulError([first, ...others], earliestCooldown(plan ? plan.tiers.flat() : [connection]));
  }

  #close(end: AttemptEnd): void {
    this.#upstreamMs += this.#current.durationMs;
    this.#current.close(this.#deps, this.#context.start.conversationId, end);
  }
}
