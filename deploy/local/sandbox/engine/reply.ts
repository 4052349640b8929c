import { countTo, lorem } from './long-texts.ts';
import { asksWhatToRemember, recall, thingToRemember } from './memory.ts';
import { countMessages, countWords, firstMessage, lastMessage, summarise } from './survey.ts';
import { counted, fromUser, quote, spoken, type ThreadMessage } from './thread.ts';

interface Intent {
  /** Whether this intent answers the message; the first that does wins. */
  readonly hears: (text: string) => boolean;
  readonly answer: (text: string, thread: readonly ThreadMessage[]) => string;
}

const HELP = [
  'I am the sandbox: I answer from what was said in this conversation. Try:',
  '- remember the word heliotrope',
  '- what did I ask you to remember?',
  '- say hello / repeat hello / echo hello',
  '- summarise this conversation',
  '- how many messages / how many words?',
  '- what was my first message? / what was my last message?',
  '- count to 20',
  '- lorem 50',
].join('\n');

const REPEAT = /^(?:please\s+)?(?:repeat|say|echo)(?:\s+after\s+me)?\s*:?\s+(?=\S)/i;
const COUNT_TO = /^(?:please\s+)?count\s+(?:up\s+)?to\s+(\d{1,12})\b/i;
const LOREM = /^(?:please\s+)?lorem(?:\s+ipsum)?\s+(\d{1,12})\b/i;

/** An intent heard by a pattern. Only the head of a message is looked at: what a message asks for stands at its start. */
function when(pattern: RegExp, answer: Intent['answer']): Intent {
  return { hears: (text) => pattern.test(text.slice(0, 400)), answer };
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text.slice(0, 400))?.[1] ?? 0);
}

const INTENTS: readonly Intent[] = [
  { hears: asksWhatToRemember, answer: (_, thread) => recall(thread) },
  { hears: (text) => thingToRemember(text) !== undefined, answer: (text) => `I will remember: ${thingToRemember(text) ?? ''}.` },
  when(REPEAT, (text) => text.replace(REPEAT, '')),
  when(COUNT_TO, (text) => countTo(numberIn(COUNT_TO, text))),
  when(LOREM, (text) => lorem(numberIn(LOREM, text))),
  when(/\bhow\s+many\s+words\b/i, (_, thread) => countWords(thread)),
  when(/\bhow\s+many\s+messages\b/i, (_, thread) => countMessages(thread)),
  when(/\bwhat\s+was\s+my\s+(?:very\s+)?first\s+message\b/i, (_, thread) => firstMessage(thread)),
  when(/\bwhat\s+was\s+my\s+(?:last|previous)\s+message\b/i, (_, thread) => lastMessage(thread)),
  when(/\bsummar(?:y|ise|ize)\b/i, (_, thread) => summarise(thread)),
  when(
    /^(?:hi|hello|hey|greetings|good\s+(?:morning|afternoon|evening))(?:\s+(?:there|sandbox))?[\s!.,?]*$/i,
    () => 'Hello! Say "help" to see what I understand.',
  ),
  when(/^(?:help|what\s+can\s+you\s+do)[\s!.?]*$/i, () => HELP),
  { hears: () => true, answer: (text, thread) => `You said: ${quote(text, 500)}. (message ${spoken(thread).length} of this conversation)` },
];

function answerWords(text: string, thread: readonly ThreadMessage[]): string {
  return INTENTS.find((intent) => intent.hears(text))?.answer(text, thread) ?? '';
}

/**
 * The reply to the last user message of a thread (root first). Deterministic: the same thread always gets the same reply.
 * Instructions are ignored except "reply in capitals".
 */
export function replyTo(thread: readonly ThreadMessage[]): string {
  const last = fromUser(thread).at(-1);
  if (last === undefined) return 'You have not said anything yet.';
  const text = last.content.trim();
  const parts: string[] = [];
  if (text !== '' || last.images === 0) parts.push(answerWords(text, thread));
  if (last.images > 0) parts.push(`${counted(last.images, 'image')} came with this message.`);
  const reply = parts.join('\n\n');
  const capitals = thread.some((message) => message.role === 'system' && /\breply\s+in\s+capitals\b/i.test(message.content));
  return capitals ? reply.toUpperCase() : reply;
}
