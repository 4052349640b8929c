import { isStopWord } from './files/find-relevant-lines.ts';
import { listUserMessages, type ThreadMessage } from './thread.ts';

/** Maximum number of characters that are read. */
const MOST_CHARACTERS = 200_000;
const SENTENCE_CHARACTERS = 400;
/** Fraction of the sentences of a text in its summary. */
const PART = 1 / 3;
const MOST_SENTENCES = 5;

const NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5 };
const INSTRUCTION = /\bsummari[sz]e\b/i;
const LIMIT = /\b(\d{1,2}|one|two|three|four|five)\s+sentences?\b/i;
const REQUEST =
  /^(?:please\s+)?summari[sz]e(?:\s+(?:this|the|following|text|document|article|report|in|at|most|\w+\s+sentences?)){0,6}\s*:\s*(?=\S)/i;

/** A text to summarise. */
interface SummaryOrder {
  text: string;
  most: number;
}

/**
 * Returns the text that a message asks to summarise: what follows `summarise:`, or the whole message if an instruction of the thread, such
 * as that of an action, requests summaries. Undefined for other messages.
 */
export function parseSummaryRequest(thread: readonly ThreadMessage[]): SummaryOrder | undefined {
  const text = listUserMessages(thread).at(-1)?.content.trim() ?? '';
  const head = REQUEST.exec(text.slice(0, 400))?.[0];
  if (head !== undefined) return { text: text.slice(head.length), most: limitIn(head) };
  const instruction = thread.findLast(({ role, content }) => role === 'system' && INSTRUCTION.test(content.slice(0, 400)));
  return instruction && text !== '' ? { text, most: limitIn(instruction.content.slice(0, 400)) } : undefined;
}

function limitIn(text: string): number {
  const said = LIMIT.exec(text)?.[1]?.toLowerCase() ?? '';
  return Math.max(1, NUMBERS[said] ?? (Number(said) || MOST_SENTENCES));
}

/** Returns the sentences of a text with its most frequent words, a third of all and at most `most`, in the order of the text. */
export function summariseText({ text, most }: SummaryOrder): string {
  const sentences = sentencesOf(text.slice(0, MOST_CHARACTERS));
  const words = sentences.map((sentence) => new Set(wordsOf(sentence)));
  const frequencies = new Map<string, number>();
  for (const word of words.flatMap((some) => [...some])) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  // A word of a single sentence does not characterise the text; long sentences have more words of every kind.
  const scores = words.map(
    (some) => [...some].reduce((sum, word) => sum + (frequencies.get(word) ?? 1) - 1, 0) / Math.sqrt(some.size || 1),
  );
  const size = Math.min(most, Math.ceil(sentences.length * PART));
  const best = [...sentences.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, size);
  return best
    .sort((a, b) => a - b)
    .map((at) => cut(sentences[at] ?? ''))
    .join(' ');
}

/** Returns the sentences of paragraphs, without headings and other lines that do not end like one; all lines when no sentence ends. */
function sentencesOf(text: string): string[] {
  const paragraphs = text.split(/\n\s*\n|\n(?=\s*(?:[#*•-]|\d+[.)])\s)/).map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  const all = paragraphs.flatMap((paragraph) => Array.from(segmenter.segment(paragraph), ({ segment }) => segment.trim()));
  const ended = all.filter((sentence) => /[.!?…。！？]["'”’)\]]*$/u.test(sentence));
  return ended.length > 0 ? ended : all.filter((sentence) => sentence !== '');
}

function wordsOf(sentence: string): string[] {
  return (sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !isStopWord(word));
}

function cut(sentence: string): string {
  return sentence.length <= SENTENCE_CHARACTERS ? sentence : `${sentence.slice(0, SENTENCE_CHARACTERS)}…`;
}
