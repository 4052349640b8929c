import { type TextExtractor } from '@parley/file-content/extract';
import { GatewayError } from '@parley/protos/errors';
import { type OutgoingFile } from '../file-operations.ts';
import { type PreparedFile } from '../upstream-turn.ts';

/** Extracts the text of a file. */
export type Extractor = Pick<TextExtractor, 'extract'>;

/**
 * Prepares a file for replay to an upstream that keeps no files: an image as it is, any other file as its extracted text, together with the
 * original when `reads` returns true for its MIME type. Throws what reading the bytes and the extractor throw, and TIMEOUT when it takes
 * too long.
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
