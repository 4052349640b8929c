import { SandboxError } from '../http/sandbox-error.ts';
import { type FileStore } from './file-store.ts';
import { limitBytes } from './limit-bytes.ts';

/** Maximum size of all files together, in bytes. */
const CAPACITY = 256 * 1024 * 1024;

/** Stores the files of a sandbox without a data folder in memory. */
export class MemoryStore implements FileStore {
  private readonly files = new Map<string, Buffer>();
  private used = 0;

  async put(id: string, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
    const parts: Uint8Array[] = [];
    for await (const chunk of limitBytes(chunks, limit).chunks) parts.push(chunk);
    const bytes = Buffer.concat(parts);
    if (this.used + bytes.length > CAPACITY) throw new SandboxError(507, 'storage_full', 'there is no room for more files');
    this.used += bytes.length;
    this.files.set(id, bytes);
    return bytes.length;
  }

  read(id: string): Promise<Buffer | undefined> {
    return Promise.resolve(this.files.get(id));
  }

  remove(id: string): Promise<void> {
    this.used -= this.files.get(id)?.length ?? 0;
    this.files.delete(id);
    return Promise.resolve();
  }
}
