import { counter } from '@parley/kit/telemetry/meter';
import { type Attributes, NO_SPAN, type Span, SpanKind } from '@parley/kit/telemetry/span';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type GatewayError } from '@parley/protos/errors';
import { telemetryOf } from '../connections/connection-telemetry.ts';
import { toHealthEffect, type HealthEffect, mayFailOver } from '../domain/failure.ts';
import { type PendingAttempt } from '../domain/latency-meter.ts';
import { type Usage } from '../domain/usage.ts';
import { type TurnDeps } from './turn-deps.ts';
import { type Route } from './route.ts';

/** How an attempt, or the turn with it, ended. */
export interface AttemptEnd {
  error?: GatewayError | undefined;
  /** The upstream took the turn. */
  isAccepted: boolean;
  /** The client left before the end. */
  isClientGone: boolean;
  /** What the upstream said of the answer. */
  usage?: Usage | undefined;
  model?: string | undefined;
}

const ATTEMPTS = counter('parley_attempts_total');

/** One attempt to put a turn to the connection of a route. It holds a slot of the connection from before it begins until it is closed. */
export class Attempt {
  readonly route: Route;
  /** The secret that the upstream is asked with. */
  #secret: string;
  #pending: PendingAttempt | undefined;
  #span = NO_SPAN;

  constructor(route: Route) {
    this.route = route;
    this.#secret = route.connection.secret;
  }

  /** The upstream has been asked. */
  get hasBegun(): boolean {
    return this.#pending !== undefined;
  }

  /** Milliseconds since the upstream was asked; 0 before. */
  get durationMs(): number {
    return this.#pending ? performance.now() - this.#pending.at : 0;
  }

  /** `parent`: the span of the turn. */
  begin(parent: Span): void {
    const { connection, model } = this.route;
    const { spanName, attributes } = telemetryOf(connection).model(model);
    this.#span = startSpan(spanName, { parent, kind: SpanKind.CLIENT, attributes });
    this.#pending = connection.beginAttempt();
    this.#secret = connection.secret;
    connection.usedSinceTouch = true;
  }

  /** For the request to the upstream; empty without a trace. */
  get traceparent(): string {
    return this.#span.traceparent;
  }

  /** The first text, reasoning or artifact has come. */
  firstToken(): void {
    this.#span.mark('first_token');
  }

  accept(): void {
    if (this.#pending) this.route.connection.accept(this.#pending);
  }

  /**
   * Releases the slot and the right to probe, and records the outcome for the health of the connection, unless the attempt was made with other
   * credentials or before the connection was connected anew.
   */
  close({ connections }: Pick<TurnDeps, 'connections'>, conversationId: string, end: AttemptEnd): void {
    const { connection, model, probing } = this.route;
    const { error, isClientGone } = end;
    connection.limiter.release();
    if (this.#pending) {
      ATTEMPTS.add(telemetryOf(connection).attempt(error?.condition ?? 'ok'));
      endSpan(this.#span, end);
      if (error && !isClientGone && mayFailOver(error.condition)) connection.fail(this.#pending);
      else connection.abandon(this.#pending);
    }
    if (connection.isCurrent(this.#secret, this.#pending?.at))
      connections.health.report(connection, toAttemptEffect(end), { model, conversationId });
    if (probing) connections.health.releaseProbe(connection);
    if (error?.condition === 'IMAGE_GENERATION_UNAVAILABLE') connections.health.feature(connection, 'images', false);
  }
}

function endSpan(span: Span, end: AttemptEnd): void {
  span.set(() => toAttributes(end));
  span.end(end.error?.condition);
}

function toAttributes({ error, usage, model }: AttemptEnd): Attributes {
  return {
    'parley.attempt.outcome': error?.condition ?? 'ok',
    ...(error?.upstream?.status !== undefined && { 'http.response.status_code': error.upstream.status }),
    ...(model !== undefined && { 'gen_ai.response.model': model }),
    ...(usage && { 'gen_ai.usage.input_tokens': usage.tokensIn, 'gen_ai.usage.output_tokens': usage.tokensOut }),
  };
}

function toAttemptEffect({ error, isAccepted, isClientGone }: AttemptEnd): HealthEffect {
  if (isClientGone) return isAccepted ? 'ok' : 'unknown';
  return error ? toHealthEffect(error) : 'ok';
}
