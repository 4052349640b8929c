/** Maximum number of characters of a chunk, which a browser lays out without a pause. */
const PIECE = 8_192;

/** Splits a long text at line ends, else at spaces; joined, the chunks are the text. A growing text never changes earlier chunks. */
export function splitIntoChunks(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > PIECE) {
    const to = cutAt(text, from);
    pieces.push(text.slice(from, to));
    from = to;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

function cutAt(text: string, from: number): number {
  const part = text.slice(from, from + PIECE);
  const line = part.lastIndexOf('\n');
  if (line > 0) return from + line + 1;
  const space = part.lastIndexOf(' ');
  if (space > 0) return from + space + 1;
  // A pair of surrogates stays together.
  return /[\uD800-\uDBFF]$/.test(part) ? from + PIECE - 1 : from + PIECE;
}
