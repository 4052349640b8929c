import { counter, histogram } from '@parley/kit/telemetry/meter';
import { type GatewayError } from '@parley/protos/errors';
import { getConnectionTelemetry } from '../connections/connection-telemetry.ts';
import { type Usage } from '../domain/usage.ts';
import { endSpan } from './end-span.ts';
import { type TurnAttempts } from './turn-attempts.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnOutcome } from './turn-end.ts';

const ERRORS = counter('parley_turn_errors_total');
const REFUSED = counter('parley_turns_refused_total');
const ADDED = histogram('parley_turn_added_seconds');
const TOKENS = counter('parley_upstream_tokens_total');
const DURATION = histogram('gen_ai_server_request_duration_seconds');
const FIRST_TOKEN = histogram('gen_ai_server_time_to_first_token_seconds');
const PER_TOKEN = histogram('gen_ai_server_time_per_output_token_seconds');
const USAGE = histogram('gen_ai_client_token_usage');

// Created once, so that turns allocate no labels.
const NO_LABELS = {};
const STATUS = { completed: { status: 'completed' }, failed: { status: 'failed' }, interrupted: { status: 'interrupted' } };
// All statuses start at zero, so that a rate over the first minutes of a process includes its first failure.
const TURNS = counter('parley_turns_total', Object.values(STATUS));
const INPUT = { type: 'input' };
const OUTPUT = { type: 'output' };

/** The facts about an ended turn that metrics and its span report. */
export interface EndedTurn {
  outcome: TurnOutcome;
  attempts: TurnAttempts;
  usage: Usage;
  /** The error that the client receives; undefined after a success. */
  error: GatewayError | undefined;
}

/** Records the metrics of an ended turn and ends its span. Called before the client gets the result, which may end the request's trace. */
export function reportTurn(context: TurnContext, turn: EndedTurn): void {
  countTurn(context, turn);
  context.span.setAttributes({ 'parley.turn.status': turn.outcome.status });
  endSpan(context.span, turn.error);
}

/** Counts a turn that was rejected before it began, and ends its span. */
export function reportRejectedTurn({ span }: Pick<TurnContext, 'span'>, error: GatewayError): void {
  REFUSED.add({ condition: error.condition });
  endSpan(span, error);
}

function countTurn({ clock, request }: TurnContext, { outcome: { status, error, model = '' }, attempts, usage }: EndedTurn): void {
  TURNS.add(STATUS[status]);
  if (status === 'failed' && error) ERRORS.add({ condition: error.condition });
  ADDED.record(NO_LABELS, Math.max(0, clock.totalMs - attempts.upstreamMs) / 1_000);
  const durationMs = clock.between('asked', 'answered');
  if (durationMs === undefined) return;
  const { connection, model: asked } = attempts.route;
  const labels = getConnectionTelemetry(connection).getModelTelemetry(asked).labels(model);
  DURATION.record(error ? { ...labels.duration, error_type: error.condition } : labels.duration, durationMs / 1_000);
  if (usage.tokensIn > 0) {
    TOKENS.add(INPUT, usage.tokensIn);
    USAGE.record(labels.input, usage.tokensIn);
  }
  if (usage.tokensOut > 0) {
    TOKENS.add(OUTPUT, usage.tokensOut);
    USAGE.record(labels.output, usage.tokensOut);
  }
  // An answer that is not streamed arrives at once, so it has no meaningful time to first token.
  const firstTokenMs = request.stream ? clock.between('asked', 'firstToken') : undefined;
  if (firstTokenMs === undefined) return;
  FIRST_TOKEN.record(labels.time, firstTokenMs / 1_000);
  if (!error && usage.tokensOut > 1) PER_TOKEN.record(labels.time, (durationMs - firstTokenMs) / 1_000 / (usage.tokensOut - 1));
}
