// Splits long runs as well (by code point, so that no surrogate pair is split): a text without spaces must be streamed too.
const PIECE = /\s{0,8}\S{1,24}|\s{1,32}/gu;

/** Splits a reply into word-sized deltas; joined they are exactly the reply. */
export function splitIntoPieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}
