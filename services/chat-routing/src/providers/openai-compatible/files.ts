import { type FileOperations } from '../file-operations.ts';
import { type Extractor, prepareFile } from './prepare-file.ts';

/** Files of conversations with an upstream that takes none: what they say is kept here and told with every turn. It makes none either. */
export function emulatedFiles(extractor: Extractor): FileOperations {
  return {
    upload: async (_account, file) => ({ upstreamRef: '', prepared: await prepareFile(extractor, file) }),
    remove: async () => undefined,
  };
}
