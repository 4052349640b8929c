import { type FileContent } from './files/file-content.ts';

export type Role = 'system' | 'user' | 'assistant';

/** One message of a thread for the reply engine; `images` is the number of its images, `files` are its attachments. */
export interface ThreadMessage {
  readonly role: Role;
  readonly content: string;
  readonly images: number;
  readonly files?: readonly FileContent[];
}

/** Returns the thread without its instructions: what a user would count as messages. */
export function listNonSystemMessages(thread: readonly ThreadMessage[]): ThreadMessage[] {
  return thread.filter((message) => message.role !== 'system');
}

/** Returns the messages of the user, in order. */
export function listUserMessages(thread: readonly ThreadMessage[]): ThreadMessage[] {
  return thread.filter((message) => message.role === 'user');
}

/** Returns a count with its noun: `1 message`, `2 messages`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a quotation of at most `limit` characters on one line, so that the length of a reply does not depend on what it quotes. */
export function quote(text: string, limit: number): string {
  const characters = Array.from(
    text
      .slice(0, limit * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const cut = characters.length > limit || text.length > limit * 4;
  return `"${characters.slice(0, limit).join('')}${cut ? '…' : ''}"`;
}
