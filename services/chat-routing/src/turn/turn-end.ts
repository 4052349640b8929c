import { toWire } from '@parley/kit/rpc/status';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { findContinuity, noteContinuity } from '../conversation/note-continuity.ts';
import { NO_USAGE, type Usage } from '../domain/usage.ts';
import { type Answer } from './answer.ts';
import { type AttemptEnd } from './attempt.ts';
import { type AttemptLog } from './attempt-log.ts';
import { type TurnDeps } from './deps.ts';
import { type Route } from './route.ts';
import { type TurnContext, type TurnStart } from './turn-context.ts';

/** How a turn ended, before it is recorded. */
export interface TurnOutcome {
  status: 'completed' | 'failed' | 'interrupted';
  error?: GatewayError | undefined;
  /** An upstream had accepted the turn. */
  isAccepted: boolean;
  /** Empty where no upstream has accepted the turn: the record recognizes those turns by it. */
  finishReason: string;
  upstreamState: string;
  usage?: Usage | undefined;
}

/** Records what the end of a turn says about its conversation. */
export function noteTurnContinuity(deps: TurnDeps, context: TurnContext, { account, binding }: Route, end: AttemptEnd): void {
  const { error, isAccepted, isClientGone } = end;
  if (!binding || isClientGone) return;
  // A continuity that was noted before and no longer holds.
  const isStale = !error && isAccepted && binding.continuityStatus !== 'available';
  const continuity = isStale ? 'available' : error && findContinuity(account, error);
  if (continuity) noteContinuity(deps, context.start.conversationId, continuity, context.call.caller);
}

/** What a turn had been through when it ended. */
export interface TurnResult {
  answer: Answer;
  attempts: AttemptLog | undefined;
  usage: Usage;
  durationMs: number;
}

/** The end of a turn for the record. */
export function toEndTurn(start: TurnStart, { account, model }: Route, outcome: TurnOutcome, result: TurnResult): EndTurn {
  const { turnId, conversationId, assistantMessageId } = start;
  const { status, error, finishReason, upstreamState } = outcome;
  const { answer, attempts, usage, durationMs } = result;
  return {
    ...{ turnId, conversationId, assistantMessageId, model, status, finishReason, upstreamState, ...usage },
    text: answer.text,
    reasoning: answer.reasoning,
    artifacts: [...answer.artifacts],
    attempts: attempts?.list() ?? [],
    connectionId: account.id,
    durationMs: Math.round(durationMs),
    error: error && toWire(error),
  };
}

/** The end of a turn that was never put to its upstream. */
export function toUnaskedEnd(
  { turnId, conversationId, assistantMessageId, model }: TurnStart,
  { account }: Route,
  error: GatewayError,
): EndTurn {
  const nothing = { text: '', finishReason: '', upstreamState: '', durationMs: 0, reasoning: '', artifacts: [], attempts: [], ...NO_USAGE };
  return {
    ...nothing,
    turnId,
    conversationId,
    assistantMessageId,
    model,
    connectionId: account.id,
    status: 'failed',
    error: toWire(error),
  };
}
