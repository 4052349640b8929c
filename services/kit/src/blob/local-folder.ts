import { FSDriver } from 'flydrive/drivers/fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { requireBlobKey, folderPrefix } from './blob-key.ts';
import { type BlobHead, BlobNotFoundError, type BlobReceipt, type BlobStore, type ByteRange, type PutOptions } from './blob-store.ts';
import { deleteStaleSpoolFiles, spool } from './spool.ts';

/** Folder of unfinished uploads, inside the root so that they can be renamed into place within one file system; no key can name it. */
const INCOMING = '.incoming';

/** Opens a store that keeps blobs as files below a folder of this machine; creates the folder. */
export async function openLocalFolder(root: string): Promise<BlobStore> {
  const incoming = join(root, INCOMING);
  await mkdir(incoming, { recursive: true });
  return new LocalFolder(root, incoming);
}

class LocalFolder implements BlobStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #driver: FSDriver;

  constructor(root: string, incoming: string) {
    this.#root = root;
    this.#incoming = incoming;
    this.#driver = new FSDriver({ location: root, visibility: 'private' });
  }

  /** Not flydrive's `putStream`: it writes in place, so an abort or a full disk would leave half a blob, and it syncs nothing. */
  async put(key: string, bytes: Readable, options: PutOptions): Promise<BlobReceipt> {
    const target = join(this.#root, requireBlobKey(key));
    const { path, ...receipt } = await spool(this.#incoming, bytes, options);
    try {
      await mkdir(dirname(target), { recursive: true });
      await rename(path, target);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    await syncFolder(dirname(target));
    return receipt;
  }

  /** Not flydrive's `getStream`: it has no ranges, and reports a missing file only when the stream is read. */
  async getRange(key: string, range: ByteRange = { start: 0 }): Promise<Readable> {
    const file = await open(join(this.#root, requireBlobKey(key)), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobNotFoundError(key, { cause: error }) : error;
    });
    return file.createReadStream({ start: range.start, ...(range.end !== undefined && { end: range.end }) });
  }

  async head(key: string): Promise<BlobHead | undefined> {
    try {
      const { size, mtime } = await stat(join(this.#root, requireBlobKey(key)));
      return { size, modifiedAt: mtime };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await this.#driver.delete(requireBlobKey(key));
  }

  async *list(folder: string): AsyncIterable<string> {
    const { objects } = await this.#driver.listAll(folderPrefix(folder), { recursive: true });
    for (const object of objects) {
      if (object.isFile && !object.key.startsWith(`${INCOMING}/`)) yield object.key;
    }
  }

  async deletePartialUploads(): Promise<void> {
    await deleteStaleSpoolFiles(this.#incoming);
  }
}

/** A rename survives a power cut only once its folder has been synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR';
}
