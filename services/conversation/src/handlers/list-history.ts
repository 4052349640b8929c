import { isUuid } from '@parley/kit/ids/uuid';
import type { Call } from '@parley/kit/rpc/call';
import type { HistoryMessage, ListHistoryRequest, ListHistoryResponse } from '@parley/protos/conversation/v1/conversation';
import { continuable } from '../domain/access.ts';
import { partsFromJson } from '../domain/parts.ts';
import { withoutReplaced } from '../domain/replaced-answers.ts';
import type { StoredMessage } from '../store/history.ts';
import type { Store } from '../store/store.ts';

/**
 * Answers the messages of a conversation, oldest first, without answers that a repeated turn replaced. A turn that is not recorded (yet)
 * comes after everything that is.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED.
 */
export async function listHistory({ journal }: Store, request: ListHistoryRequest, { caller }: Call): Promise<ListHistoryResponse> {
  const { conversationId, beforeTurnId } = request;
  const question = { conversationId, beforeTurnId: isUuid(beforeTurnId) ? beforeTurnId : null };
  const { messages } = continuable(isUuid(conversationId) ? await journal.history(question) : undefined, caller);
  return { messages: withoutReplaced(messages).map(toMessage) };
}

function toMessage({ id, role, content, parts, status }: StoredMessage): HistoryMessage {
  return { id, role, text: content, parts: partsFromJson(parts), status };
}
