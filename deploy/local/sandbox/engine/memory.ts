import { listUserMessages, type ThreadMessage } from './thread.ts';

const RECALL =
  /\bwhat\s+(?:(?:did|have)\s+i\s+(?:ask|asked|tell|told)\s+you\s+to|(?:do|should|must|can)\s+you|are\s+you\s+(?:to|asked\s+to))\s+remember\b/i;
const REMEMBER = /^(?:(?:please|now|and|also|can you|could you|will you)[\s,]+)*remember(?:\s+that\b)?\s*[:,]?\s+(?=\S)/i;

function withoutFullStop(text: string): string {
  let end = text.length;
  while (end > 0 && '.! '.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Returns the text after "remember"; undefined when the message does not ask to remember anything. */
export function parseMemoryRequest(content: string): string | undefined {
  const text = content.trim();
  const match = REMEMBER.exec(text.slice(0, 400));
  if (match === null || isRecallRequest(text)) return undefined;
  const thing = withoutFullStop(text.slice(match[0].length));
  return thing === '' ? undefined : thing;
}

/** Whether the message asks for what was remembered. */
export function isRecallRequest(content: string): boolean {
  return RECALL.test(content.slice(0, 400));
}

/**
 * Returns everything that this thread was asked to remember, in order; if that is nothing, what other conversations were asked to
 * (`elsewhere`).
 */
export function answerRecallRequest(thread: readonly ThreadMessage[], elsewhere: readonly string[]): string {
  const own = listUserMessages(thread).flatMap((message) => parseMemoryRequest(message.content) ?? []);
  return describeMemories(own.length > 0 ? own : elsewhere);
}

/** Whether the message asks for what was remembered in other conversations only. */
export function isRecallOfOtherConversations(content: string): boolean {
  return isRecallRequest(content) && /\bother\s+(?:conversations?|chats?)\b/i.test(content.slice(0, 400));
}

/** Returns a sentence with the things to remember, or that there are none. */
export function describeMemories(things: readonly string[]): string {
  return things.length === 0 ? 'You have not asked me to remember anything.' : `You asked me to remember: ${things.join('; ')}.`;
}
