import { MAX_SEARCHABLE_LENGTH } from '../domain/search-text.ts';

/** SQL: a case-folded text, independent of the database's locale. */
export const caseFoldSql = (text: string) => `casefold(${text} COLLATE pg_unicode_fast)`;

/** SQL: a text as documents contain it: its searchable part in Unicode NFC, case-folded. */
export const documentSql = (text: string) => caseFoldSql(`normalize(left(${text}, ${MAX_SEARCHABLE_LENGTH}), NFC)`);

/** SQL: true for an answer `id` of conversation `conversationId` that the turn after it replaced. `extra` limits the turns `t`. */
export const isReplacedSql = (id: string, conversationId: string, extra: string) => `EXISTS (
  SELECT FROM turns t JOIN turns n ON n.conversation_id = t.conversation_id AND n.sequence = t.sequence + 1 AND n.message_count = 0
  WHERE t.conversation_id = ${conversationId} AND t.assistant_message_id = ${id} AND ${extra} OFFSET 0)`;

/** SQL: the sequence up to which the index covers conversation `id`; null when it does not. */
export const coveredSequenceSql = (id: string) => `(SELECT s.sequence FROM search_conversations s WHERE s.conversation_id = ${id})`;
