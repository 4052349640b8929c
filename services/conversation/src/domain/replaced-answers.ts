/** What tells where a message stands in its conversation. */
export interface MessagePosition {
  /** Of its turn, from 1. */
  sequence: number;
  /** Within its turn, from 0. */
  position: number;
  role: string;
  /** A turn brought it or answered with it; false for messages that were imported or added upstream. */
  ofTurn: boolean;
}

/**
 * The messages without the answers that a repeated turn replaced; `messages` are in order. A turn that repeats the one before it brings
 * no messages of its own, so its answer comes first in it: the answer before that is the failed one.
 */
export function omitReplacedAnswers<M extends MessagePosition>(messages: readonly M[]): M[] {
  const replaced = new Set<M>();
  let before: M | undefined;
  for (const message of messages) {
    if (!message.ofTurn) continue;
    if (before?.role === 'assistant' && message.sequence > before.sequence && isRepeatedAnswer(message)) replaced.add(before);
    before = message;
  }
  return replaced.size === 0 ? [...messages] : messages.filter((message) => !replaced.has(message));
}

/** True for the answer of a repeated turn: only the first turn of a conversation may bring an assistant message, and it repeats none. */
export function isRepeatedAnswer({ sequence, position, role }: MessagePosition): boolean {
  return sequence > 1 && position === 0 && role === 'assistant';
}
