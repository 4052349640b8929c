import { type Part } from '@parley/protos/conversation/v1/conversation';

/** Characters above which a turn's messages are recorded in a transaction of their own. */
export const LARGE_MESSAGES = 256 * 1_024;

/** About the size of messages in bytes; inline images are most of it. */
export function sizeOfMessages(messages: readonly { text: string; parts: readonly Part[] }[]): number {
  let size = 0;
  for (const { text, parts } of messages) {
    size += text.length;
    for (const { content } of parts) size += content?.value.length ?? 0;
  }
  return size;
}
