/** The messages of a request that a conversation does not have yet: those after the last assistant message (DECISIONS, chat streaming). */
export function newMessages<M extends { role: string }>(messages: readonly M[]): readonly M[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1);
}
