import { TextExtractor } from '@parley/file-content/extract';
import { measureImage } from '@parley/file-content/measure-image';
import { type FileContent } from './files/file-content.ts';

/** Name and declared type of a file. */
export type FileLabel = Pick<FileContent, 'name' | 'mimeType'>;

/** Workspace of all files: the sandbox has accounts, but no workspaces. */
const ONE_FOR_ALL = 'sandbox';

/** Reads files for the reply engine; an unreadable file is a file without text, never an error. */
export class FileContentReader {
  private readonly extractor = new TextExtractor({ waiting: 1_000, workspaceShare: 1 });

  async read(bytes: Uint8Array, { name, mimeType }: FileLabel): Promise<FileContent> {
    const size = bytes.length;
    if (mimeType.startsWith('image/')) {
      return { name, mimeType, size, text: '', omitted: '', dimensions: measureImage(bytes) };
    }
    try {
      return { name, mimeType, size, ...(await this.extractor.extract(bytes, { name, mimeType, workspaceId: ONE_FOR_ALL })) };
    } catch {
      return { name, mimeType, size, text: '', omitted: 'The file could not be read.' };
    }
  }

  close(): Promise<void> {
    return this.extractor.close();
  }
}
