import { counter } from '@parley/kit/telemetry/meter';
import { type Attributes, NOOP_SPAN, type Span, SpanKind } from '@parley/kit/telemetry/span';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type GatewayError } from '@parley/protos/errors';
import { getConnectionTelemetry } from '../connections/connection-telemetry.ts';
import { toHealthEffect, type HealthEffect, mayFailOver } from '../domain/error-effects.ts';
import { type PendingAttempt } from '../domain/latency-meter.ts';
import { type Usage } from '../domain/usage.ts';
import { type Route } from './route.ts';
import { type TurnDeps } from './turn-deps.ts';

/** How an attempt ended; for the last attempt, also how its turn ended. */
export interface AttemptEnd {
  error?: GatewayError | undefined;
  /** The upstream accepted the turn. */
  isAccepted: boolean;
  /** The client disconnected before the end. */
  isClientGone: boolean;
  /** Token counts and model as the upstream reported them; undefined when it did not. */
  usage?: Usage | undefined;
  model?: string | undefined;
}

const ATTEMPTS = counter('parley_attempts_total');

/** One attempt to send a turn to the connection of a route. Holds a concurrency slot of the connection until it is closed. */
export class Attempt {
  readonly route: Route;
  /** The connection's secret at the time of the request; `close` reports health only while it is still current. */
  #secret: string;
  #pending: PendingAttempt | undefined;
  #span = NOOP_SPAN;

  constructor(route: Route) {
    this.route = route;
    this.#secret = route.connection.secret;
  }

  /** Whether the request was sent to the upstream. */
  get hasBegun(): boolean {
    return this.#pending !== undefined;
  }

  /** Milliseconds since the request was sent to the upstream; 0 before. */
  get durationMs(): number {
    return this.#pending ? performance.now() - this.#pending.at : 0;
  }

  /** Starts the attempt's span and latency measurement. `parent`: the span of the turn. */
  begin(parent: Span): void {
    const { connection, model } = this.route;
    const { spanName, attributes } = getConnectionTelemetry(connection).getModelTelemetry(model);
    this.#span = startSpan(spanName, { parent, kind: SpanKind.CLIENT, attributes });
    this.#pending = connection.beginAttempt();
    this.#secret = connection.secret;
    connection.usedSinceTouch = true;
  }

  /** W3C `traceparent` header for the upstream request; empty when the turn is not traced. */
  get traceparent(): string {
    return this.#span.traceparent;
  }

  /** Marks the arrival of the first text, reasoning or artifact on the span. */
  markFirstToken(): void {
    this.#span.addEvent('first_token');
  }

  markAccepted(): void {
    if (this.#pending) this.route.connection.recordAccepted(this.#pending);
  }

  /**
   * Releases the slot and the probe claim, and reports the outcome to the health of the connection, unless the connection has been given
   * other credentials or was reconnected since the attempt began.
   */
  close({ connections }: Pick<TurnDeps, 'connections'>, conversationId: string, end: AttemptEnd): void {
    const { connection, model, probing } = this.route;
    const { error, isClientGone } = end;
    connection.limiter.release();
    if (this.#pending) {
      ATTEMPTS.add(getConnectionTelemetry(connection).getAttemptLabels(error?.condition ?? 'ok'));
      endSpan(this.#span, end);
      if (error && !isClientGone && mayFailOver(error.condition)) connection.recordFailed(this.#pending);
      else connection.abandonAttempt(this.#pending);
    }
    if (connection.isOutcomeCurrent(this.#secret, this.#pending?.at))
      connections.health.recordOutcome(connection, toAttemptEffect(end), { model, conversationId });
    if (probing) connections.health.releaseProbe(connection);
    if (error?.condition === 'IMAGE_GENERATION_UNAVAILABLE') connections.health.recordFeature(connection, 'images', false);
  }
}

function endSpan(span: Span, end: AttemptEnd): void {
  span.setAttributes(() => toAttributes(end));
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
