/** Position of a message in its conversation. */
export interface MessagePosition {
  /** Sequence of its turn, from 1. */
  sequence: number;
  /** Position within its turn, from 0. */
  position: number;
  role: string;
  /** True for a request message or the answer of a turn; false for messages that were imported or added at the upstream. */
  ofTurn: boolean;
}

/**
 * Returns the messages without answers that a repeated turn replaced; `messages` are in order. A turn that repeats the one before it has
 * no request messages, so its answer is its first message: the answer before that is the failed one.
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

/**
 * True for the answer of a repeated turn: only the first turn of a conversation may have assistant messages in its request, and it repeats
 * none.
 */
export function isRepeatedAnswer({ sequence, position, role }: MessagePosition): boolean {
  return sequence > 1 && position === 0 && role === 'assistant';
}
