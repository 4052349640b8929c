import { toWireError } from '@parley/kit/rpc/grpc-status';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { findImpliedContinuity, recordContinuity } from '../conversation/record-continuity.ts';
import { NO_USAGE, type Usage } from '../domain/usage.ts';
import { type AnswerAccumulator } from './answer-accumulator.ts';
import { type AttemptEnd } from './attempt.ts';
import { type Route } from './route.ts';
import { type TurnAttempts } from './turn-attempts.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

/** The outcome of a turn before it is recorded. */
export interface TurnOutcome {
  status: 'completed' | 'failed' | 'interrupted';
  error?: GatewayError | undefined;
  /** Whether an upstream had accepted the turn. */
  isAccepted: boolean;
  /** Empty when no upstream accepted the turn; the conversation service identifies such turns by it. */
  finishReason: string;
  upstreamState: string;
  usage?: Usage | undefined;
  /** The model that answered, as the upstream names it; undefined when it did not report one. */
  model?: string | undefined;
}

/** Records the continuity status of an existing conversation where the end of a turn changes it. Does nothing for a new conversation. */
export function recordTurnContinuity(deps: TurnDeps, context: TurnContext, { connection, binding }: Route, end: AttemptEnd): void {
  const { error, isAccepted, isClientGone } = end;
  if (!binding || isClientGone) return;
  // The recorded status is not `available`, but the turn has just succeeded.
  const isStale = !error && isAccepted && binding.continuityStatus !== 'available';
  const continuity = isStale ? 'available' : error && findImpliedContinuity(connection, error);
  if (continuity) recordContinuity(deps, context.start.conversationId, continuity, context.call.caller);
}

/** Counts the tokens of the request's messages and the answer's text; used when the upstream reports no valid usage. */
export async function countTurnTokens(
  { tokens }: Pick<TurnDeps, 'tokens'>,
  { request }: TurnContext,
  answer: AnswerAccumulator,
): Promise<Usage> {
  const prompt = request.messages.map(({ text }) => text).join('\n');
  const [tokensIn, tokensOut] = await Promise.all([tokens.count(prompt), tokens.count(answer.text)]);
  return { tokensIn, tokensOut };
}

/** What a turn had produced when it ended. */
export interface TurnResult {
  answer: AnswerAccumulator;
  attempts: TurnAttempts;
  usage: Usage;
}

/** Builds the message that records the end of a turn. */
export function toTurnEnd({ start, route, clock }: TurnContext, outcome: TurnOutcome, result: TurnResult): EndTurn {
  const { turnId, conversationId, assistantMessageId } = start;
  const { status, error, finishReason, upstreamState } = outcome;
  const { answer, attempts, usage } = result;
  const { connection, model } = attempts.route;
  return {
    turnId,
    conversationId,
    assistantMessageId,
    model,
    status,
    finishReason,
    upstreamState,
    tokensIn: usage.tokensIn,
    tokensOut: usage.tokensOut,
    text: answer.text,
    reasoning: answer.reasoning,
    artifacts: [...answer.artifacts],
    attempts: attempts.log?.list() ?? [],
    connectionId: connection.id,
    durationMs: Math.round(clock.since('opened')),
    error: error && toWireError(error),
    times: clock.times(),
    routeReason: route.reason,
  };
}

/** Builds the message that records the end of a failed turn that was never sent to an upstream. */
export function toUnsentTurnEnd({ start, route, clock }: TurnContext, error: GatewayError): EndTurn {
  const { turnId, conversationId, assistantMessageId, model } = start;
  const nothing = { text: '', finishReason: '', upstreamState: '', durationMs: 0, reasoning: '', artifacts: [], attempts: [], ...NO_USAGE };
  return {
    ...nothing,
    turnId,
    conversationId,
    assistantMessageId,
    model,
    connectionId: route.connection.id,
    status: 'failed',
    error: toWireError(error),
    times: clock.times(),
    routeReason: route.reason,
  };
}
