import { type FileContent } from './file-content.ts';

/** Maximum number of lines in an answer, and of characters of each. */
const MOST_LINES = 5;
const LINE_CHARACTERS = 300;

const STOP_WORDS = new Set(
  (
    'a about all an and any anything are as at be been but by can could did do does file files for from had has have he her his how i if in ' +
    'into is it its me my of on or our please say says she should so some such tell than that the their them then there these they this ' +
    'to us was we were what when where which who whose why will with would you your document attachment project according mention mentions'
  ).split(' '),
);

/** Whether a word, in lower case, is a stop word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Returns the words of a text that are worth searching for, in lower case. */
export function extractKeywords(text: string): string[] {
  const words =
    text
      .slice(0, 2_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !isStopWord(word)))].slice(0, 20);
}

/** Splits a text into lines, and long lines into sentences. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => (line.length <= LINE_CHARACTERS ? line : line.split(/(?<=[.!?])\s+/)));
}

function score(line: string, keywords: readonly string[]): number {
  const words = new Set(line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return keywords.filter((keyword) => words.has(keyword)).length;
}

/** Returns the lines or sentences with most of the words of the question, each after the name of its file; empty when none matches. */
export function findRelevantLines(files: readonly FileContent[], question: string): string[] {
  const keywords = extractKeywords(question);
  let best = 0;
  let found: string[] = [];
  for (const { name, text } of files) {
    for (const line of linesOf(text)) {
      const points = score(line, keywords);
      if (points === 0 || points < best) continue;
      if (points > best) found = [];
      best = points;
      if (found.length < MOST_LINES) found.push(`${name}: ${line.trim().slice(0, LINE_CHARACTERS)}`);
    }
  }
  return found;
}
