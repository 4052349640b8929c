import { type Attachment } from './running-turn.ts';

/** What it takes to go on with an answer after a reload; the question itself is in the record. */
export interface Unfinished {
  idempotencyKey: string;
  model: string;
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
}

const nameOf = (conversationId: string) => `parley.answering.${conversationId}`;

/** Remembers, for this tab, that an answer of the conversation is on its way. */
export function rememberUnfinished(conversationId: string, unfinished: Unfinished): void {
  sessionStorage.setItem(nameOf(conversationId), JSON.stringify(unfinished));
}

/** The answer has ended, in whatever way. */
export function forgetUnfinished(conversationId: string): void {
  sessionStorage.removeItem(nameOf(conversationId));
}

/** The answer that a reload broke off, if there is one. */
export function unfinishedOf(conversationId: string): Unfinished | undefined {
  const text = sessionStorage.getItem(nameOf(conversationId));
  return text === null ? undefined : (JSON.parse(text) as Unfinished);
}
