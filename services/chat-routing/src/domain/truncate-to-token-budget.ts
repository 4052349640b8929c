/** Returns the number of tokens in a text. */
export type CountTokens = (text: string) => Promise<number>;

/** Minimum tokens of a shortened text; below that it is left out. */
const LEAST_TOKENS = 32;
const MAX_CUTS = 4;
/** How many characters back a cut looks for a word boundary. */
const WORD = 200;

/**
 * Shortens texts so that together they fit into `budget` tokens. Short texts are kept whole, long ones are cut to an equal share of what is
 * left, and a text is emptied where its share is below 32 tokens. Returns the texts in the given order.
 */
export async function truncateToTokenBudget(texts: readonly string[], budget: number, count: CountTokens): Promise<string[]> {
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

/** Removes the partial word, or the half of a surrogate pair, at the end of a cut text. */
function wholeWords(text: string): string {
  const tail = text.slice(-WORD);
  const at = Math.max(tail.lastIndexOf(' '), tail.lastIndexOf('\n'));
  return at > 0 ? text.slice(0, text.length - tail.length + at) : text.replace(/[\ud800-\udbff]$/, '');
}
