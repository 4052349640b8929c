/** Which of its messages a request attaches its files to: the last one of the user. */
export function findAttachmentTarget(messages: readonly { role: string }[]): number {
  const asked = messages.findLastIndex((message) => message.role === 'user');
  return asked < 0 ? messages.length - 1 : asked;
}

/** The messages of a request that a conversation does not have yet: those after the last assistant message. */
export function newMessages<M extends { role: string }>(messages: readonly M[]): readonly M[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1);
}
