import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { type Binding, type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { toClientError } from './conversation-errors.ts';

const OPEN_MS = 2_000;

/**
 * Reads the binding of a conversation: its connection, last turn and upstream state. Throws CONVERSATION_NOT_FOUND,
 * CONVERSATION_ACCESS_DENIED, and SERVICE_UNAVAILABLE when the conversation service is unavailable.
 */
export async function readConversationBinding(
  { conversation }: { conversation: Stub<typeof ConversationServiceService> },
  conversationId: string,
  call: Call,
): Promise<Binding> {
  const question = { $case: 'open', value: { conversationId } } as const;
  const { answer } = await callMultiplexed(
    conversation.record,
    { question },
    { ...toDownstreamInit(call, OPEN_MS), repeatable: true },
  ).catch((error: unknown) => {
    throw call.abortReason ?? toClientError(error);
  });
  if (answer?.$case !== 'binding') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
  return answer.value;
}

/** Creates the CONVERSATION_BUSY error: another turn of the conversation is running. */
export function conversationBusyError(): GatewayError {
  return new GatewayError('CONVERSATION_BUSY', 'another turn of this conversation is still running', { retryAfterMs: 1_000 });
}
