import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobReceipt, PutOptions } from './blob-store.ts';
import { Meter } from './meter.ts';

/** A complete, synced file that waits for its place. */
export interface Spooled extends BlobReceipt {
  path: string;
}

/** The folder may be one that others use too, as that for temporary files. */
const PREFIX = 'parley-upload-';
const STALE_MS = 86_400_000;

/** Writes a stream to a new file in `folder` and syncs it. When anything fails (abort, disk full, too large) no file is left. */
export async function spool(folder: string, bytes: Readable, { maxBytes, signal }: PutOptions): Promise<Spooled> {
  const path = join(folder, `${PREFIX}${randomUUID()}.part`);
  const meter = new Meter(maxBytes);
  try {
    // `flush` syncs before it closes: what is renamed into place afterwards is whole, also after a power cut.
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(bytes, meter, file, { ...(signal && { signal }) });
  } catch (error) {
    bytes.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return { path, ...meter.receipt() };
}

/** Deletes what a crash left half written in `folder` a day ago or longer. What cannot be deleted stays. */
export async function clearStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    const isStale = file?.isFile() && Date.now() - file.mtimeMs > STALE_MS;
    if (isStale) await rm(path, { force: true }).catch(() => undefined);
  }
}
