import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService, type RecallTurnRequest, type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { toClientError } from './conversation-errors.ts';

const RECALL_MS = 2_000;

/**
 * Finds the earlier turn of a retry; undefined when there is none. Throws SERVICE_UNAVAILABLE when the conversation service is unavailable.
 */
export async function findEarlierTurn(
  { conversation }: { conversation: Stub<typeof ConversationServiceService> },
  which: RecallTurnRequest['which'],
  call: Call,
): Promise<TurnRecord | undefined> {
  try {
    return (await conversation.recallTurn({ which }, toDownstreamInit(call, RECALL_MS))).turn;
  } catch (error) {
    throw call.abortReason ?? toClientError(error);
  }
}
