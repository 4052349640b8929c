import { type Attachment } from './running-turn.ts';

/** What it takes to go on with an answer after a reload; the question itself is in the record. */
export interface UnfinishedTurn {
  idempotencyKey: string;
  model: string;
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
}

const nameOf = (conversationId: string) => `parley.answering.${conversationId}`;

/** Remembers, for this tab, that an answer of the conversation is on its way. */
export function saveUnfinishedTurn(conversationId: string, unfinished: UnfinishedTurn): void {
  sessionStorage.setItem(nameOf(conversationId), JSON.stringify(unfinished));
}

/** The answer has ended, in whatever way. */
export function deleteUnfinishedTurn(conversationId: string): void {
  sessionStorage.removeItem(nameOf(conversationId));
}

/** The answer that a reload broke off, if there is one. */
export function findUnfinishedTurn(conversationId: string): UnfinishedTurn | undefined {
  const text = sessionStorage.getItem(nameOf(conversationId));
  return text === null ? undefined : (JSON.parse(text) as UnfinishedTurn);
}
