import { type FileOperations } from '../file-operations.ts';
import { type Extractor, prepareFile } from './prepare-file.ts';

/**
 * Files of conversations with an upstream that keeps none: their texts are kept here and sent with every turn, and the files themselves where
 * `reads` says that its models read them. It makes none either.
 */
export function emulatedFiles(extractor: Extractor, reads?: (mimeType: string) => boolean): FileOperations {
  return {
    upload: async (_account, file) => ({ upstreamRef: '', prepared: await prepareFile(extractor, file, reads) }),
    remove: async () => undefined,
  };
}
