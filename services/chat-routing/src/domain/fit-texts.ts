/** Tokens of a text. */
export type CountTokens = (text: string) => Promise<number>;

/** A beginning shorter than this says too little to be shown. */
const LEAST_TOKENS = 32;
const MAX_CUTS = 4;
/** How far back a cut looks for the end of a word. */
const WORD = 200;

/**
 * What of these texts has room in `budget` tokens together: all of a short one, as much of a long one as is left when the short ones are in, and
 * nothing where that would be next to nothing. In the order in which they are given.
 */
export async function fitTexts(texts: readonly string[], budget: number, count: CountTokens): Promise<string[]> {
  const tokens = await Promise.all(texts.map((text) => count(text)));
  const fitted = texts.map(() => '');
  const shortestFirst = texts.map((_, at) => at).sort((one, other) => (tokens[one] ?? 0) - (tokens[other] ?? 0));
  let left = budget;
  for (const [rank, at] of shortestFirst.entries()) {
    const share = Math.floor(left / (shortestFirst.length - rank));
    const [text, size] = [texts[at] ?? '', tokens[at] ?? 0];
    if (size <= share) fitted[at] = text;
    else if (share >= LEAST_TOKENS) fitted[at] = await toOpening(text, size, share, count);
    if (fitted[at] !== '') left -= Math.min(size, share);
  }
  return fitted;
}

async function toOpening(text: string, tokens: number, room: number, count: CountTokens): Promise<string> {
  let length = text.length;
  let size = tokens;
  for (let cuts = 0; cuts < MAX_CUTS; cuts++) {
    length = Math.floor(length * Math.min(0.97, room / size));
    const beginning = wholeWords(text.slice(0, length));
    size = await count(beginning);
    if (size <= room) return beginning;
  }
  return '';
}

/** Without the word, or half a character, that a cut went through. */
function wholeWords(text: string): string {
  const tail = text.slice(-WORD);
  const at = Math.max(tail.lastIndexOf(' '), tail.lastIndexOf('\n'));
  return at > 0 ? text.slice(0, text.length - tail.length + at) : text.replace(/[\ud800-\udbff]$/, '');
}
