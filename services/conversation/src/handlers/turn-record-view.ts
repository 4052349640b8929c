import { type Error as WireError } from '@parley/protos/common/v1/error';
import { type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { isRefusedTurn } from '../domain/turn.ts';
import { type StoredTurn } from '../store/turn-records.ts';

type StoredError = Pick<StoredTurn, 'errorCondition' | 'errorMessage' | 'errorParam' | 'errorRetryAfterMs'>;

/** Converts a stored turn to the message of the gRPC contract; status `streaming` until it has ended. */
export function toTurnRecord(turn: StoredTurn): TurnRecord {
  const { turnId, conversationId, assistantMessageId, model, text, startedAt } = turn;
  return {
    ...{ turnId, conversationId, assistantMessageId, model, text, startedAt },
    status: turn.status ?? 'streaming',
    finishReason: turn.finishReason ?? '',
    tokensIn: turn.tokensIn ?? 0,
    tokensOut: turn.tokensOut ?? 0,
    error: toWireError(turn),
    reasoning: turn.reasoning ?? '',
    refused: isRefusedTurn(turn.status, turn.finishReason),
    assetIds: turn.assetIds,
  };
}

/** Converts the error of a turn to the gRPC contract's; undefined unless the turn failed. */
export function toWireError({ errorCondition, errorMessage, errorParam, errorRetryAfterMs }: StoredError): WireError | undefined {
  if (errorCondition === null) return undefined;
  return {
    condition: errorCondition,
    message: errorMessage ?? '',
    param: errorParam ?? undefined,
    retryAfterMs: errorRetryAfterMs ?? undefined,
  };
}
