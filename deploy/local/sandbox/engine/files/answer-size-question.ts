import { formatCount } from '../thread.ts';
import { describeFile, type FileContent } from './file-content.ts';

const COUNTS = /\bhow\s+many\s+(pages?|rows?|columns?|words?|lines?|characters?|bytes?|entries|sheets?|slides?)\b/i;
const SIZES = /\bhow\s+(?:big|large|wide|tall|long)\b|\b(?:size|dimensions|resolution)\s+of\b/i;

function lines({ text }: FileContent): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

const SHEET = /^Sheet: /;

/** Counts the rows of all sheets; the first line of each names its columns. */
function rows(file: FileContent): number {
  const all = lines(file);
  const sheets = all.filter((line) => SHEET.test(line)).length;
  return Math.max(0, all.length - sheets - Math.max(1, sheets));
}

/** Counts the pages of a PDF, whose text has an empty line between them; other files have one page. */
function pages({ mimeType, text }: FileContent): number {
  return mimeType === 'application/pdf' ? text.trim().split(/\n\s*\n/).length : 1;
}

/** Counts the entries of a ZIP, whose list begins with a line about itself. */
function entries(file: FileContent): string {
  const count = lines(file).length - (/^ZIP archive,/.test(file.text) ? 1 : 0);
  return count === 1 ? '1 entry' : `${count} entries`;
}

const MEASURES: Readonly<Record<string, (file: FileContent) => string>> = {
  page: (file) => formatCount(pages(file), 'page'),
  slide: (file) => formatCount(lines(file).filter((line) => /^Slide \d+$/.test(line)).length, 'slide'),
  sheet: (file) => formatCount(lines(file).filter((line) => SHEET.test(line)).length, 'sheet'),
  row: (file) => formatCount(rows(file), 'row'),
  column: (file) => formatCount((lines(file).find((line) => !SHEET.test(line)) ?? '').split(/[,;\t|]/).length, 'column'),
  line: (file) => formatCount(lines(file).length, 'line'),
  entries,
  word: (file) => formatCount(file.text.match(/\S+/g)?.length ?? 0, 'word'),
  character: (file) => formatCount(file.text.length, 'character'),
  byte: (file) => formatCount(file.size, 'byte'),
};

/** Returns the answer to "how many pages|rows|columns|words|lines…" and "how big": a line for each file; undefined for other questions. */
export function answerSizeQuestion(files: readonly FileContent[], question: string): string | undefined {
  const noun = COUNTS.exec(question)?.[1]?.toLowerCase();
  if (noun !== undefined) {
    const measure = MEASURES[noun] ?? MEASURES[noun.replace(/s$/, '')];
    if (measure !== undefined) return files.map((file) => `${file.name} has ${measure(file)}.`).join('\n');
  }
  return SIZES.test(question) ? files.map((file) => `${describeFile(file)}.`).join('\n') : undefined;
}
