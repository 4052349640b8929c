import { formatCount, listUserMessages, quote, listNonSystemMessages, type ThreadMessage } from './thread.ts';

const LINE_CHARACTERS = 60;

function words(messages: readonly ThreadMessage[]): number {
  return messages.reduce((sum, message) => sum + (message.content.match(/\S+/g)?.length ?? 0), 0);
}

/** Returns a sentence with the number of messages in the thread, including the question. */
export function describeMessageCount(thread: readonly ThreadMessage[]): string {
  const yours = listUserMessages(thread).length;
  const all = listNonSystemMessages(thread).length;
  return `This conversation has ${formatCount(all, 'message')}: ${yours} from you and ${all - yours} from me.`;
}

/** Returns a sentence with the number of words in the thread, including the question. */
export function describeWordCount(thread: readonly ThreadMessage[]): string {
  const yours = words(listUserMessages(thread));
  const all = words(listNonSystemMessages(thread));
  return `This conversation has ${formatCount(all, 'word')}: ${yours} from you and ${all - yours} from me.`;
}

/** Returns a summary with one line for each turn before the request. */
export function summariseThread(thread: readonly ThreadMessage[]): string {
  const messages = listNonSystemMessages(thread).slice(0, -1);
  const turns: string[] = [];
  for (const message of messages) {
    const said = quote(message.content, LINE_CHARACTERS);
    const open = turns.at(-1);
    if (message.role === 'user' || open === undefined) turns.push(message.role === 'user' ? `you said ${said}` : `I said ${said}`);
    else turns[turns.length - 1] = `${open}, I said ${said}`;
  }
  if (turns.length === 0) return 'There is nothing to summarise yet.';
  return [`Summary of ${formatCount(turns.length, 'turn')}:`, ...turns.map((turn, at) => `${at + 1}. ${turn}`)].join('\n');
}

/** Returns a sentence with the user's first message. */
export function describeFirstMessage(thread: readonly ThreadMessage[]): string {
  const said = listUserMessages(thread);
  const first = said[0];
  return first === undefined || said.length === 1 ? 'This is your first message.' : `Your first message was: ${quote(first.content, 500)}.`;
}

/** Returns a sentence with the user's message before the current one. */
export function describePreviousMessage(thread: readonly ThreadMessage[]): string {
  const last = listUserMessages(thread).at(-2);
  return last === undefined ? 'This is your first message.' : `Your last message was: ${quote(last.content, 500)}.`;
}
