import { type Part } from '@parley/protos/conversation/v1/conversation';

/** Size of a turn's messages in characters above which they are recorded in a separate transaction. */
export const LARGE_MESSAGES_LENGTH = 256 * 1_024;

/** Approximate size of messages in bytes (text and part contents); inline images are most of it. */
export function estimateMessagesLength(messages: readonly { text: string; parts: readonly Part[] }[]): number {
  let size = 0;
  for (const { text, parts } of messages) {
    size += text.length;
    for (const { content } of parts) size += content?.value.length ?? 0;
  }
  return size;
}
