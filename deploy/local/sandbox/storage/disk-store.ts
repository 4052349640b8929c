import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type FileStore } from './file-store.ts';
import { limitBytes } from './limit-bytes.ts';

const FOLDER = 'files';

/**
 * Stores files in the data folder, one for each id. A file that is being received has another name, so that a kill leaves no partial file.
 */
export class DiskStore implements FileStore {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens the store of a data folder and deletes files without a record: uploads that a kill interrupted, and deleted files. */
  static async open(dataDir: string, known: ReadonlySet<string>): Promise<DiskStore> {
    const folder = join(dataDir, FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const strangers = (await readdir(folder)).filter((name) => !known.has(name));
    await Promise.all(strangers.map((name) => rm(join(folder, name), { force: true, recursive: true })));
    return new DiskStore(folder);
  }

  async put(id: string, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
    const part = join(this.folder, `${id}.part`);
    const counted = limitBytes(chunks, limit);
    try {
      await pipeline(counted.chunks, createWriteStream(part, { mode: 0o600 }));
      await rename(part, join(this.folder, id));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    return counted.size();
  }

  read(id: string): Promise<Buffer | undefined> {
    return readFile(join(this.folder, id)).catch(() => undefined);
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.folder, id), { force: true });
  }
}
