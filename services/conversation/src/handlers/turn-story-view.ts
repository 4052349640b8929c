import { type TurnStory } from '@parley/protos/conversation/v1/conversation';
import { toTurnAttempts } from '../domain/turn-attempts.ts';
import { type StoredTurnDetails } from '../store/turn-details.ts';
import { toWireError } from './turn-record-view.ts';

/** Converts a stored turn with its attempts and times to the message of the gRPC contract; status `streaming` until it has ended. */
export function toTurnStory(turn: StoredTurnDetails): TurnStory {
  const { turnId, requestId, conversationId, workspaceId, keyId, sequence, model, connectionId, startedAt } = turn;
  return {
    ...{ turnId, requestId, conversationId, workspaceId, keyId, sequence, model, connectionId, startedAt },
    status: turn.status ?? 'streaming',
    finishReason: turn.finishReason ?? '',
    error: toWireError(turn),
    tokensIn: turn.tokensIn ?? 0,
    tokensOut: turn.tokensOut ?? 0,
    durationMs: turn.durationMs ?? 0,
    endedAt: turn.endedAt ?? undefined,
    attempts: toTurnAttempts(turn),
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
