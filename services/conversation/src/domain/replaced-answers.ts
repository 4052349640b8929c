/** What tells where a message stands in its conversation. */
export interface Placed {
  /** Of its turn, from 1. */
  sequence: number;
  /** Within its turn, from 0. */
  position: number;
  role: string;
}

/**
 * The messages without the answers that a repeated turn replaced; `messages` are in order. A turn that repeats the one before it brings
 * no messages of its own, so its answer comes first in it: the answer before that is the failed one.
 */
export function withoutReplaced<M extends Placed>(messages: readonly M[]): M[] {
  return messages.filter((message, index) => {
    const next = messages[index + 1];
    return !(message.role === 'assistant' && next && next.sequence > message.sequence && isRepeated(next));
  });
}

/** Only the first turn of a conversation may bring an assistant message; it repeats none. */
function isRepeated({ sequence, position, role }: Placed): boolean {
  return sequence > 1 && position === 0 && role === 'assistant';
}
