import { formatCount, quote } from '../thread.ts';
import { answerSizeQuestion } from './answer-size-question.ts';
import { describeFile, type FileContent } from './file-content.ts';
import { extractKeywords, findRelevantLines } from './find-relevant-lines.ts';

/** Maximum number of characters of a file that an answer repeats. */
const SHOWN = 2_000;

const NOUN =
  'files?|documents?|attachments?|images?|pictures?|photos?|pdfs?|spreadsheets?|presentations?|slides?|tables?|archives?|zip|csv';
const MENTIONED = new RegExp(`\\b(?:${NOUN}|attached|uploaded)\\b`, 'i');
const LIST = /\b(?:what|which|list)\b(?:\s+\w+){0,2}\s+(?:files|documents|attachments|sources)\b/i;
const CONTENT = new RegExp(
  `\\bwhat(?:'s|\\s+is|\\s+are|\\s+was)?\\s+(?:in|inside|on)\\b|\\bwhat\\s+do(?:es)?\\b.*\\b(?:say|contain|show)\\b|` +
    `\\bwhat\\s+(?:is|are)\\s+(?:this|that|these|the|my)\\s+(?:${NOUN})\\s*\\?*$|` +
    `\\b(?:which|what)\\s+(?:files|entries)\\b|\\b(?:contents?\\s+of|read|show|describe|summar(?:y|ise|ize))\\b`,
  'i',
);
const QUESTION =
  /\?\s*$|^(?:please\s+)?(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does|did|tell|find|search|look|give)\b/i;

/** The files that a conversation can use: those of the current message, of earlier messages, and of its project. */
export interface AvailableFiles {
  readonly attached: readonly FileContent[];
  readonly earlier: readonly FileContent[];
  readonly project: readonly FileContent[];
}

function named(files: readonly FileContent[], text: string): FileContent[] {
  const lower = text.toLowerCase();
  return files.filter(({ name }) => lower.includes(name.toLowerCase()));
}

function shown(file: FileContent): string {
  if (file.dimensions !== undefined || file.mimeType.startsWith('image/')) return `${describeFile(file)} is an image.`;
  const rest = file.omitted === '' ? '' : ` (${file.omitted})`;
  return file.text === '' ? `${describeFile(file)} has no text.${rest}` : `${file.name} says: ${quote(file.text, SHOWN)}${rest}`;
}

/** Returns the files that a message is about: those it names; else its attachments; else all. */
function targets(sight: AvailableFiles, text: string): readonly FileContent[] {
  const all = [...sight.attached, ...sight.earlier, ...sight.project];
  const chosen = named(all, text);
  if (chosen.length > 0) return chosen;
  return sight.attached.length > 0 ? sight.attached : all;
}

/**
 * Returns the answer to a question about files: their names, their size, their content, or the lines with the words of the question.
 * Undefined when the message does not ask about files.
 */
export function answerAboutFiles(text: string, sight: AvailableFiles): string | undefined {
  const question = text.slice(0, 2_000);
  const all = [...sight.attached, ...sight.earlier, ...sight.project];
  const mentioned = MENTIONED.test(question) || named(all, question).length > 0;
  // The files in an archive are its content.
  if (mentioned && LIST.test(question) && !/\b(?:archive|zip)\b/i.test(question)) {
    return all.length === 0
      ? 'There are no files here.'
      : `There ${all.length === 1 ? 'is' : 'are'} ${formatCount(all.length, 'file')}: ${all.map(describeFile).join('; ')}.`;
  }
  if (all.length === 0) return mentioned && CONTENT.test(question) && /\?\s*$/.test(question) ? 'There are no files here.' : undefined;
  const files = targets(sight, question);
  if (mentioned || sight.attached.length > 0) {
    const measure = answerSizeQuestion(files, question);
    if (measure !== undefined) return measure;
  }
  if (!mentioned && !QUESTION.test(question)) return undefined;
  // Without the file names, whose words would otherwise be searched for inside the files.
  const asked = files.reduce((rest, { name }) => rest.replaceAll(name, ' '), question);
  if (mentioned && CONTENT.test(question) && extractKeywords(asked.replace(CONTENT, ' ').replace(MENTIONED, ' ')).length === 0) {
    return files.map(shown).join('\n');
  }
  const found = findRelevantLines(files, asked);
  if (found.length > 0) return found.join('\n');
  if (!mentioned) return undefined;
  return CONTENT.test(question) && !/\babout\b/i.test(question)
    ? files.map(shown).join('\n')
    : `I find nothing about that in ${files.map(({ name }) => name).join(', ')}.`;
}

/** Returns a sentence about the files of a message that does not ask about them. */
export function acknowledgeFiles(files: readonly FileContent[]): string {
  return `${formatCount(files.length, 'file')} came with this message: ${files.map(describeFile).join('; ')}.`;
}
