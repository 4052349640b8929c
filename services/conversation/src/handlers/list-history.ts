import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type HistoryMessage, type ListHistoryRequest, type ListHistoryResponse } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { toAttachedFiles, fromStoredParts } from '../domain/message-parts.ts';
import { selectReplayedHistory } from '../domain/replayed-history.ts';
import { type StoredMessage } from '../store/history.ts';
import { requireWritableConversation } from './require-writable-conversation.ts';

/**
 * Lists the messages of a conversation that may be replayed to an upstream, oldest first; see `selectReplayedHistory`. An unknown turn
 * id lists all messages.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED.
 */
export async function listHistory(
  { store: { turns, database } }: Deps,
  request: ListHistoryRequest,
  { caller }: Call,
): Promise<ListHistoryResponse> {
  const { conversationId, beforeTurnId } = request;
  const question = { conversationId, beforeTurnId: isUuid(beforeTurnId) ? beforeTurnId : null };
  const found = isUuid(conversationId) ? await turns.findHistory(question) : undefined;
  const { messages, excludedSequence } = await requireWritableConversation(database, conversationId, found, caller);
  return { messages: selectReplayedHistory(messages, excludedSequence).map(toMessage) };
}

function toMessage({ id, role, content, parts, status }: StoredMessage): HistoryMessage {
  return { id, role, text: content, parts: fromStoredParts(parts), files: toAttachedFiles(parts), status };
}
