import { type TurnStory } from '@parley/protos/conversation/v1/conversation';
import { toAttempts } from '../domain/turn-attempts.ts';
import { type StoredTurnDetails } from '../store/turn-stories.ts';
import { toError } from './turn-record-view.ts';

/** Converts a stored turn with its attempts and times to the message of the gRPC contract; status `streaming` until it has ended. */
export function toTurnStory(turn: StoredTurnDetails): TurnStory {
  const { turnId, requestId, conversationId, workspaceId, keyId, sequence, model, connectionId, startedAt } = turn;
  return {
    ...{ turnId, requestId, conversationId, workspaceId, keyId, sequence, model, connectionId, startedAt },
    status: turn.status ?? 'streaming',
    finishReason: turn.finishReason ?? '',
    error: toError(turn),
    tokensIn: turn.tokensIn ?? 0,
    tokensOut: turn.tokensOut ?? 0,
    durationMs: turn.durationMs ?? 0,
    endedAt: turn.endedAt ?? undefined,
    attempts: toAttempts(turn),
    routeReason: turn.routeReason ?? '',
    times: {
      routedMs: turn.routedMs ?? undefined,
      committedMs: turn.committedMs ?? undefined,
      askedMs: turn.askedMs ?? undefined,
      acceptedMs: turn.acceptedMs ?? undefined,
      firstTokenMs: turn.firstTokenMs ?? undefined,
      answeredMs: turn.answeredMs ?? undefined,
    },
  };
}
