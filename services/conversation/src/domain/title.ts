/** Maximum length of a derived title, in characters. */
export const MAX_DERIVED_TITLE_LENGTH = 60;

/** Maximum characters of the message that are read; bounds the work of a turn that starts a conversation. */
const MAX_INPUT = 200;

/** A text without any of these has no Markdown. */
const MARKED = /[`~[\]<>#*_]|^[ \t]*(?:[-+]|\d)/m;

/** Markdown syntax and its replacement in a title; none of these matches an empty text. */
const MARKS: readonly [RegExp, string][] = [
  // Fences: removes the language, keeps the content.
  [/^[ \t]*(?:```|~~~)[^\n]*$/gm, ' '],
  [/!?\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g, '$1'],
  [/<\/?[a-z][^<>\n]{0,500}>/gi, ' '],
  [/^[ \t]*(?:#{1,6}|>+|[-*+]|\d{1,9}[.)])[ \t]+/gm, ''],
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ' '],
  [/(\*\*|__|~~|`+)/g, ''],
  // Stars and underscores around words; those within a word or a formula stay.
  [/(^|[\s(])[*_](\S[^*_\n]{0,500}?)[*_](?=$|[\s).,;:!?])/gm, '$1$2'],
];

/** Anything but visible characters with single spaces between them. */
const UNEVEN = /[^\S ]| {2}|[\p{Cc}\p{Cf}\p{Cs}]/u;
const UNEVEN_RUNS = /[\s\p{Cc}\p{Cf}\p{Cs}]+/gu;

/** Derives a title from the first user message: one line without Markdown, cut between words. Empty when no text remains. */
export function deriveTitle(text: string): string {
  let plain = text.slice(0, MAX_INPUT);
  if (MARKED.test(plain)) for (const [mark, instead] of MARKS) plain = plain.replace(mark, instead);
  // Also control and format characters: direction marks would affect text after the title.
  const words = UNEVEN.test(plain) ? plain.replace(UNEVEN_RUNS, (found) => (/\s/.test(found) ? ' ' : '')) : plain;
  return cut(words.trim());
}

function cut(line: string): string {
  if (line.length <= MAX_DERIVED_TITLE_LENGTH) return line;
  // One character more than fits, each of two units at most.
  const characters = [...line.slice(0, 2 * (MAX_DERIVED_TITLE_LENGTH + 1))];
  if (characters.length <= MAX_DERIVED_TITLE_LENGTH) return line;
  const head = characters.slice(0, MAX_DERIVED_TITLE_LENGTH - 1).join('');
  const isWhole = characters[MAX_DERIVED_TITLE_LENGTH - 1] === ' ';
  const space = head.lastIndexOf(' ');
  // A single long word, or a script without spaces, is cut at the limit.
  const kept = isWhole || space < MAX_DERIVED_TITLE_LENGTH / 2 ? head : head.slice(0, space);
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
