import {
  describeMessageCount,
  describeWordCount,
  describeFirstMessage,
  describePreviousMessage,
  summariseThread,
} from './describe-thread.ts';
import { acknowledgeFiles, answerAboutFiles, type AvailableFiles } from './files/answer-about-files.ts';
import { type FileContent } from './files/file-content.ts';
import { generateCountingText, generateLoremIpsum } from './long-texts.ts';
import { isRecallOfOtherConversations, isRecallRequest, answerRecallRequest, parseMemoryRequest, describeMemories } from './memory.ts';
import { summariseText, parseSummaryRequest } from './summarise-text.ts';
import { formatCount, listUserMessages, quote, listNonSystemMessages, type ThreadMessage } from './thread.ts';

/** Context of a reply in addition to its thread. */
export interface ReplyContext {
  /** Files of the conversation's project. */
  readonly projectFiles: readonly FileContent[];
  /** Things that the user asked to remember in other conversations, if those are shared. */
  readonly memories: readonly string[];
}

const EMPTY_CONTEXT: ReplyContext = { projectFiles: [], memories: [] };

interface Intent {
  /** Whether this intent answers the message; the first match applies. */
  readonly matches: (text: string) => boolean;
  /** Whether it applies even if the message could be a question about files. */
  readonly always?: boolean;
  readonly answer: (text: string, thread: readonly ThreadMessage[], context: ReplyContext) => string;
}

const HELP = [
  'I am the sandbox: I answer from what was said in this conversation. Try:',
  '- remember the word heliotrope',
  '- what did I ask you to remember?',
  '- say hello / repeat hello / echo hello',
  '- summarise this conversation / summarise: a text of several sentences',
  '- how many messages / how many words?',
  '- what was my first message? / what was my last message?',
  '- count to 20',
  '- lorem 50',
  '- what is in the file? / how many rows? / any question with words of an attached file',
  '- draw a red circle / make a CSV of the planets / write a PDF report about rivers',
].join('\n');

const REPEAT = /^(?:please\s+)?(?:repeat|say|echo)(?:\s+after\s+me)?\s*:?\s+(?=\S)/i;
const COUNT_TO = /^(?:please\s+)?count\s+(?:up\s+)?to\s+(\d{1,12})\b/i;
const LOREM = /^(?:please\s+)?lorem(?:\s+ipsum)?\s+(\d{1,12})\b/i;

/** Returns an intent that a pattern matches. Only the beginning of a message is checked: that is where a request is. */
function when(pattern: RegExp, answer: Intent['answer']): Intent {
  return { matches: (text) => pattern.test(text.slice(0, 400)), answer };
}

function always(pattern: RegExp, answer: Intent['answer']): Intent {
  return { ...when(pattern, answer), always: true };
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text.slice(0, 400))?.[1] ?? 0);
}

const INTENTS: readonly Intent[] = [
  { always: true, matches: isRecallOfOtherConversations, answer: (_, _thread, { memories }) => describeMemories(memories) },
  { always: true, matches: isRecallRequest, answer: (_, thread, { memories }) => answerRecallRequest(thread, memories) },
  {
    always: true,
    matches: (text) => parseMemoryRequest(text) !== undefined,
    answer: (text) => `I will remember: ${parseMemoryRequest(text) ?? ''}.`,
  },
  always(REPEAT, (text) => text.replace(REPEAT, '')),
  always(COUNT_TO, (text) => generateCountingText(numberIn(COUNT_TO, text))),
  always(LOREM, (text) => generateLoremIpsum(numberIn(LOREM, text))),
  when(/\bhow\s+many\s+words\b/i, (_, thread) => describeWordCount(thread)),
  when(/\bhow\s+many\s+messages\b/i, (_, thread) => describeMessageCount(thread)),
  when(/\bwhat\s+was\s+my\s+(?:very\s+)?first\s+message\b/i, (_, thread) => describeFirstMessage(thread)),
  when(/\bwhat\s+was\s+my\s+(?:last|previous)\s+message\b/i, (_, thread) => describePreviousMessage(thread)),
  when(/\bsummar(?:y|ise|ize)\b/i, (_, thread) => summariseThread(thread)),
  when(
    /^(?:hi|hello|hey|greetings|good\s+(?:morning|afternoon|evening))(?:\s+(?:there|sandbox))?[\s!.,?]*$/i,
    () => 'Hello! Say "help" to see what I understand.',
  ),
  when(/^(?:help|what\s+can\s+you\s+do)[\s!.?]*$/i, () => HELP),
  {
    matches: () => true,
    answer: (text, thread) => `You said: ${quote(text, 500)}. (message ${listNonSystemMessages(thread).length} of this conversation)`,
  },
];

function inSight(thread: readonly ThreadMessage[], context: ReplyContext): AvailableFiles {
  const messages = listUserMessages(thread);
  const earlier = messages.slice(0, -1).reverse();
  return {
    attached: messages.at(-1)?.files ?? [],
    earlier: earlier.flatMap(({ files = [] }) => files),
    project: context.projectFiles,
  };
}

function answerWords(text: string, thread: readonly ThreadMessage[], context: ReplyContext, sight: AvailableFiles): string[] {
  const order = parseSummaryRequest(thread);
  if (order !== undefined) return [summariseText(order)];
  const intent = INTENTS.find(({ matches }) => matches(text));
  // Intents marked `always` apply even if there are files.
  const about = intent?.always === true ? undefined : answerAboutFiles(text, sight);
  if (about !== undefined) return [about];
  const words = [intent?.answer(text, thread, context) ?? ''];
  return sight.attached.length === 0 ? words : [...words, acknowledgeFiles(sight.attached)];
}

/** Whether the instructions of a thread request replies in capitals. */
export function requestsCapitals(thread: readonly ThreadMessage[]): boolean {
  return thread.some((message) => message.role === 'system' && /\breply\s+in\s+capitals\b/i.test(message.content));
}

/**
 * Returns the reply to the last user message of a thread (root first). Deterministic: the same thread in the same context always gets the
 * same reply. Ignores instructions except "reply in capitals" and "summarise …".
 */
export function generateReply(thread: readonly ThreadMessage[], context: ReplyContext = EMPTY_CONTEXT): string {
  const last = listUserMessages(thread).at(-1);
  if (last === undefined) return 'You have not said anything yet.';
  const text = last.content.trim();
  const { files = [], images } = last;
  const parts: string[] = [];
  if (text !== '' || (images === 0 && files.length === 0)) parts.push(...answerWords(text, thread, context, inSight(thread, context)));
  else if (files.length > 0) parts.push(acknowledgeFiles(files));
  if (images > 0) parts.push(`${formatCount(images, 'image')} came with this message.`);
  const reply = parts.join('\n\n');
  return requestsCapitals(thread) ? reply.toUpperCase() : reply;
}
