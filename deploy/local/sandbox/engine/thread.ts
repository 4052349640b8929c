import { type FileContent } from './files/file-content.ts';

export type Role = 'system' | 'user' | 'assistant';

/** One message of a thread as the reply engine sees it; `images` is how many came with it, `files` what was attached. */
export interface ThreadMessage {
  readonly role: Role;
  readonly content: string;
  readonly images: number;
  readonly files?: readonly FileContent[];
}

/** The thread without its instructions: what a person would count as messages. */
export function spoken(thread: readonly ThreadMessage[]): ThreadMessage[] {
  return thread.filter((message) => message.role !== 'system');
}

/** What the user said, in order. */
export function fromUser(thread: readonly ThreadMessage[]): ThreadMessage[] {
  return thread.filter((message) => message.role === 'user');
}

/** `1 message`, `2 messages`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A quotation of at most `limit` characters on one line, so that a reply never grows with the size of what it quotes. */
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
