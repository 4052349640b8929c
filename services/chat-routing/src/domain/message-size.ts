import { type Part } from '@parley/protos/conversation/v1/conversation';

/** Length of a turn's messages, as `getMessagesLength` returns it, above which they are recorded in a separate transaction. */
export const LARGE_MESSAGES_LENGTH = 256 * 1_024;

/** Length of messages in characters (text and part contents), which approximates their bytes; inline images are most of it. */
export function getMessagesLength(messages: readonly { text: string; parts: readonly Part[] }[]): number {
  let size = 0;
  for (const { text, parts } of messages) {
    size += text.length;
    for (const { content } of parts) size += content?.value.length ?? 0;
  }
  return size;
}
