import { setImmediate as letOthersRun } from 'node:timers/promises';
import { PIECE_CHARACTERS } from './json-pieces.ts';

/**
 * Encodes pieces of a text in UTF-8, about `PIECE_CHARACTERS` characters at a time with a pause after each. The buffers together are the
 * text.
 */
export async function encodePieces(pieces: Iterable<string>): Promise<Buffer[]> {
  const encoded: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    encoded.push(Buffer.from(text));
    text = '';
    await letOthersRun();
  }
  if (text !== '') encoded.push(Buffer.from(text));
  return encoded;
}
