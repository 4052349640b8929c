import { type Message } from '@parley/protos/conversation/v1/resource';
import { type ListedMessage } from '../store/messages.ts';
import { toWireError } from './turn-record-view.ts';

/** Converts a stored message to the message of the gRPC contract. */
export function toMessage(message: ListedMessage): Message {
  const { id, conversationId, role, status, content, createdAt, tokensIn, tokensOut } = message;
  return {
    ...{ id, conversationId, role, status, content, createdAt },
    model: message.model ?? '',
    reasoning: message.reasoning ?? '',
    usage: tokensIn === null || tokensOut === null ? undefined : { tokensIn, tokensOut },
    error: toWireError(message),
    assetIds: message.assetIds ?? [],
    completedAt: status === 'streaming' ? undefined : (message.endedAt ?? createdAt),
  };
}
