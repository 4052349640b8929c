import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobReceipt, type PutOptions } from './blob-store.ts';
import { HashingStream } from './hashing-stream.ts';

/** A complete, synced temporary file, ready to be moved into place or uploaded. */
export interface SpooledFile extends BlobReceipt {
  path: string;
}

const NAME = /^parley-upload-[\da-f-]{36}\.part$/;
const STALE_MS = 86_400_000;

/** Writes a stream to a new file in `folder` and syncs it. When anything fails (abort, disk full, too large) no file is left. */
export async function spool(folder: string, bytes: Readable, { maxBytes, signal }: PutOptions): Promise<SpooledFile> {
  const path = join(folder, `parley-upload-${randomUUID()}.part`);
  const stream = new HashingStream(maxBytes);
  try {
    // `flush` syncs before it closes: the file is complete when it is renamed into place, also after a power cut.
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(bytes, stream, file, { ...(signal && { signal }) });
  } catch (error) {
    bytes.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return { path, ...stream.receipt() };
}

/** Deletes unfinished uploads in `folder` that are older than a day, left by crashes; no upload takes that long. */
export async function deleteStaleSpoolFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!NAME.test(name)) continue;
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (file && Date.now() - file.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
