import { type Caller } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { type ConversationServiceService, type HistoryMessage, type ListHistoryRequest } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { toClientError } from './conversation-errors.ts';

const HISTORY_MS = 3_000;

/** Reads the non-empty messages of a conversation. Throws SERVICE_UNAVAILABLE when the conversation service is unavailable. */
export async function readHistory(
  { conversation }: { conversation: Stub<typeof ConversationServiceService> },
  question: ListHistoryRequest,
  { caller }: { caller: Caller },
): Promise<readonly HistoryMessage[]> {
  const asked = callMultiplexed(
    conversation.record,
    { question: { $case: 'history', value: question } },
    { caller, deadlineMs: HISTORY_MS, repeatable: true },
  );
  const { answer } = await asked.catch((error: unknown) => {
    throw toClientError(error);
  });
  if (answer?.$case !== 'history') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
  return answer.value.messages.filter(({ text, parts }) => text !== '' || parts.length > 0);
}
