/** Index of the message that a request's files are attached to: the last user message, else the last message; -1 without messages. */
export function findAttachmentMessageIndex(messages: readonly { role: string }[]): number {
  const asked = messages.findLastIndex((message) => message.role === 'user');
  return asked < 0 ? messages.length - 1 : asked;
}

/** The messages of a request that are new to its conversation: those after the last assistant message. */
export function messagesAfterLastAnswer<M extends { role: string }>(messages: readonly M[]): readonly M[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1);
}
