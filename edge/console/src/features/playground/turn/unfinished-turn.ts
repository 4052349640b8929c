import { type Attachment } from './running-turn.ts';

/** What is needed to continue a turn after a reload; its question is in the record. */
export interface UnfinishedTurn {
  idempotencyKey: string;
  model: string;
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
}

const nameOf = (conversationId: string) => `parley.answering.${conversationId}`;

/** Saves the unfinished turn of a conversation, for this tab. */
export function saveUnfinishedTurn(conversationId: string, unfinished: UnfinishedTurn): void {
  sessionStorage.setItem(nameOf(conversationId), JSON.stringify(unfinished));
}

/** Deletes the unfinished turn of a conversation, once its answer has ended. */
export function deleteUnfinishedTurn(conversationId: string): void {
  sessionStorage.removeItem(nameOf(conversationId));
}

/** Finds the turn of a conversation that a reload interrupted; undefined without one. */
export function findUnfinishedTurn(conversationId: string): UnfinishedTurn | undefined {
  const text = sessionStorage.getItem(nameOf(conversationId));
  return text === null ? undefined : (JSON.parse(text) as UnfinishedTurn);
}
