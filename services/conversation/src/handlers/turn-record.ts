import type { Error as WireError } from '@parley/protos/common/v1/error';
import type { TurnRecord } from '@parley/protos/conversation/v1/conversation';
import type { StoredTurn } from '../store/turn-records.ts';

/** A recorded turn as the contract has it; `streaming` while it has not ended. */
export function toTurnRecord(turn: StoredTurn): TurnRecord {
  const { turnId, conversationId, assistantMessageId, model, text, startedAt } = turn;
  return {
    ...{ turnId, conversationId, assistantMessageId, model, text, startedAt },
    status: turn.status ?? 'streaming',
    finishReason: turn.finishReason ?? '',
    tokensIn: turn.tokensIn ?? 0,
    tokensOut: turn.tokensOut ?? 0,
    error: toError(turn),
  };
}

function toError({ errorCondition, errorMessage, errorParam, errorRetryAfterMs }: StoredTurn): WireError | undefined {
  if (errorCondition === null) return undefined;
  return {
    condition: errorCondition,
    message: errorMessage ?? '',
    param: errorParam ?? undefined,
    retryAfterMs: errorRetryAfterMs ?? undefined,
  };
}
