import { counted, fromUser, quote, spoken, type ThreadMessage } from './thread.ts';

const LINE_CHARACTERS = 60;

function words(messages: readonly ThreadMessage[]): number {
  return messages.reduce((sum, message) => sum + (message.content.match(/\S+/g)?.length ?? 0), 0);
}

/** Returns a sentence with the number of messages in the thread, including the question. */
export function countMessages(thread: readonly ThreadMessage[]): string {
  const yours = fromUser(thread).length;
  const all = spoken(thread).length;
  return `This conversation has ${counted(all, 'message')}: ${yours} from you and ${all - yours} from me.`;
}

/** Returns a sentence with the number of words in the thread, including the question. */
export function countWords(thread: readonly ThreadMessage[]): string {
  const yours = words(fromUser(thread));
  const all = words(spoken(thread));
  return `This conversation has ${counted(all, 'word')}: ${yours} from you and ${all - yours} from me.`;
}

/** Returns a summary with one line for each turn before the request. */
export function summarise(thread: readonly ThreadMessage[]): string {
  const messages = spoken(thread).slice(0, -1);
  const turns: string[] = [];
  for (const message of messages) {
    const said = quote(message.content, LINE_CHARACTERS);
    const open = turns.at(-1);
    if (message.role === 'user' || open === undefined) turns.push(message.role === 'user' ? `you said ${said}` : `I said ${said}`);
    else turns[turns.length - 1] = `${open}, I said ${said}`;
  }
  if (turns.length === 0) return 'There is nothing to summarise yet.';
  return [`Summary of ${counted(turns.length, 'turn')}:`, ...turns.map((turn, at) => `${at + 1}. ${turn}`)].join('\n');
}

/** Returns a sentence with the user's first message. */
export function firstMessage(thread: readonly ThreadMessage[]): string {
  const said = fromUser(thread);
  const first = said[0];
  return first === undefined || said.length === 1 ? 'This is your first message.' : `Your first message was: ${quote(first.content, 500)}.`;
}

/** Returns a sentence with the user's message before the current one. */
export function lastMessage(thread: readonly ThreadMessage[]): string {
  const last = fromUser(thread).at(-2);
  return last === undefined ? 'This is your first message.' : `Your last message was: ${quote(last.content, 500)}.`;
}
