/** Longest title that is made, in characters. */
export const MAX_TITLE = 60;

/** What is looked at: a title needs no more, and the work has a bound. */
const MAX_INPUT = 2_000;

/** Marks of Markdown and what stands for them in a title; none of these can match an empty text. */
const MARKS: readonly [RegExp, string][] = [
  // Fences: the language goes, what is inside stays.
  [/^[ \t]*(?:```|~~~)[^\n]*$/gm, ' '],
  [/!?\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g, '$1'],
  [/<\/?[a-z][^<>\n]{0,500}>/gi, ' '],
  [/^[ \t]*(?:#{1,6}|>+|[-*+]|\d{1,9}[.)])[ \t]+/gm, ''],
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ' '],
  [/(\*\*|__|~~|`+)/g, ''],
  // Stars and underscores around words; those within a word or a formula stay.
  [/(^|[\s(])[*_](\S[^*_\n]{0,500}?)[*_](?=$|[\s).,;:!?])/gm, '$1$2'],
];

/** A title from what the user said first: without Markdown, on one line, cut between words. Empty when there is nothing to say. */
export function toTitle(text: string): string {
  let plain = text.slice(0, MAX_INPUT);
  for (const [mark, instead] of MARKS) plain = plain.replace(mark, instead);
  // Control and format characters too: direction marks would reach beyond the title.
  const words = plain.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, (found) => (/\s/.test(found) ? ' ' : ''));
  return cut(words.trim());
}

function cut(line: string): string {
  const characters = [...line];
  if (characters.length <= MAX_TITLE) return line;
  const head = characters.slice(0, MAX_TITLE - 1).join('');
  const isWhole = characters[MAX_TITLE - 1] === ' ';
  const space = head.lastIndexOf(' ');
  // A single long word, or a script without spaces, is cut where it is.
  const kept = isWhole || space < MAX_TITLE / 2 ? head : head.slice(0, space);
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
