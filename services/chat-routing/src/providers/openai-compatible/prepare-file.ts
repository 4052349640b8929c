import { type TextExtractor } from '@parley/file-content/extract';
import { GatewayError } from '@parley/protos/errors';
import { type OutgoingFile } from '../file-operations.ts';
import { type PreparedFile } from '../upstream-turn.ts';

/** What takes the text out of a file. */
export type Extractor = Pick<TextExtractor, 'extract'>;

/**
 * Makes of a file what can be replayed to an upstream that keeps none: a picture as it is, of anything else its text, beside the file itself where
 * `reads` says that models read files of its type. Throws what its bytes and the extractor throw, and TIMEOUT when it takes too long.
 */
export async function prepareFile(
  extractor: Extractor,
  { workspaceId, name, mimeType, size, bytes, signal }: OutgoingFile,
  reads: (mimeType: string) => boolean = () => false,
): Promise<PreparedFile> {
  const whole = Buffer.alloc(size);
  let at = 0;
  for await (const piece of bytes) {
    whole.set(piece, at);
    at += piece.length;
  }
  if (mimeType.startsWith('image/')) return { text: '', omitted: '', original: whole };
  try {
    const prepared = await extractor.extract(whole, { name, mimeType, workspaceId }, signal);
    return reads(mimeType) ? { ...prepared, original: whole } : prepared;
  } catch (error) {
    if (error instanceof GatewayError || !signal.aborted) throw error;
    throw new GatewayError('TIMEOUT', 'the file could not be read in time', { cause: error });
  }
}
