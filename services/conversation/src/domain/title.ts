/** Maximum length of a derived title, in characters. */
export const MAX_TITLE = 60;

/** Characters that are read; bounds the work of a turn that starts a conversation. */
const MAX_INPUT = 200;

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

/** Derives a title from the first user message: one line without Markdown, cut between words. Empty when no text remains. */
export function toTitle(text: string): string {
  let plain = text.slice(0, MAX_INPUT);
  for (const [mark, instead] of MARKS) plain = plain.replace(mark, instead);
  // Also control and format characters: direction marks would affect text after the title.
  const words = plain.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, (found) => (/\s/.test(found) ? ' ' : ''));
  return cut(words.trim());
}

function cut(line: string): string {
  const characters = [...line];
  if (characters.length <= MAX_TITLE) return line;
  const head = characters.slice(0, MAX_TITLE - 1).join('');
  const isWhole = characters[MAX_TITLE - 1] === ' ';
  const space = head.lastIndexOf(' ');
  // A single long word, or a script without spaces, is cut at the limit.
  const kept = isWhole || space < MAX_TITLE / 2 ? head : head.slice(0, space);
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
