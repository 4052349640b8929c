import { type FileContentReader } from '../engine/file-content-reader.ts';
import { type FileContent } from '../engine/files/file-content.ts';
import { type FileRecord } from '../state/files.ts';
import { type FileStore } from './file-store.ts';

/** Maximum number of cached characters; beyond that, files are read again. */
const KEPT_CHARACTERS = 16_000_000;

/** Extracts the contents of files, and caches them within a limit. */
export class FileContents {
  private readonly store: FileStore;
  private readonly reader: FileContentReader;
  private readonly read = new Map<string, Promise<FileContent>>();
  private readonly lengths = new Map<string, number>();
  private kept = 0;

  constructor(store: FileStore, reader: FileContentReader) {
    this.store = store;
    this.reader = reader;
  }

  /** Resolves with the contents of files, by id. */
  async readContents(files: readonly FileRecord[]): Promise<ReadonlyMap<string, FileContent>> {
    return new Map(await Promise.all(files.map(async (file) => [file.id, await this.contentOf(file)] as const)));
  }

  forget(id: string): void {
    this.read.delete(id);
    this.kept -= this.lengths.get(id) ?? 0;
    this.lengths.delete(id);
  }

  private contentOf(file: FileRecord): Promise<FileContent> {
    const known = this.read.get(file.id);
    if (known !== undefined) return known;
    const content = this.readAnew(file);
    this.read.set(file.id, content);
    void content.then(({ text }) => this.keep(file.id, text.length));
    return content;
  }

  private async readAnew({ id, name, mime_type: mimeType }: FileRecord): Promise<FileContent> {
    return this.reader.read((await this.store.read(id)) ?? new Uint8Array(), { name, mimeType });
  }

  private keep(id: string, length: number): void {
    if (!this.read.has(id)) return;
    this.lengths.set(id, length);
    this.kept += length;
    for (const oldest of this.lengths.keys()) {
      if (this.kept <= KEPT_CHARACTERS) return;
      this.forget(oldest);
    }
  }
}
