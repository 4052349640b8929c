import { isUuid } from '@parley/kit/ids/uuid';
import type { Call } from '@parley/kit/rpc/call';
import type { HistoryMessage, ListHistoryRequest, ListHistoryResponse } from '@parley/protos/conversation/v1/conversation';
import { continuable } from '../domain/access.ts';
import { partsFromJson } from '../domain/parts.ts';
import { type StoredMessage, readHistory, readOwnership } from '../store/history.ts';
import type { Store } from '../store/store.ts';

/** Answers the messages of a conversation, oldest first. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function listHistory({ database }: Store, { conversationId }: ListHistoryRequest, { caller }: Call): Promise<ListHistoryResponse> {
  continuable(isUuid(conversationId) ? await readOwnership(database, conversationId) : undefined, caller);
  return { messages: (await readHistory(database, conversationId)).map(toMessage) };
}

function toMessage({ id, role, content, parts, status }: StoredMessage): HistoryMessage {
  return { id, role, text: content, parts: partsFromJson(parts), status };
}
