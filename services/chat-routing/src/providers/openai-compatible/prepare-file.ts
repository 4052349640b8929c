import { type TextExtractor } from '@parley/file-content/extract';
import { GatewayError } from '@parley/protos/errors';
import { type OutgoingFile } from '../file-operations.ts';
import { type PreparedFile } from '../upstream-turn.ts';

/** What takes the text out of a file. */
export type Extractor = Pick<TextExtractor, 'extract'>;

/**
 * Makes of a file what can be replayed to an upstream that takes none: a picture as it is, of anything else its text. Throws what its bytes
 * throw, and TIMEOUT when it takes too long.
 */
export async function prepareFile(extractor: Extractor, { name, mimeType, size, bytes, signal }: OutgoingFile): Promise<PreparedFile> {
  const whole = Buffer.alloc(size);
  let at = 0;
  for await (const piece of bytes) {
    whole.set(piece, at);
    at += piece.length;
  }
  if (mimeType.startsWith('image/')) return { text: '', omitted: '', image: whole };
  try {
    return await extractor.extract(whole, { name, mimeType }, signal);
  } catch (error) {
    if (error instanceof GatewayError || !signal.aborted) throw error;
    throw new GatewayError('TIMEOUT', 'the file could not be read in time', { cause: error });
  }
}
