import { type FileOperations } from '../file-operations.ts';
import { type Extractor, prepareFile } from './prepare-file.ts';

/**
 * File operations for an upstream that keeps no files: their texts are stored here and sent with every turn, and the files themselves when
 * `reads` returns true for their MIME type. Such an upstream generates no artifacts.
 */
export function createEmulatedFileOperations(extractor: Extractor, reads?: (mimeType: string) => boolean): FileOperations {
  return {
    upload: async (_account, file) => ({ upstreamRef: '', prepared: await prepareFile(extractor, file, reads) }),
    remove: async () => undefined,
  };
}
