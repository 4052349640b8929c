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

const NAME = /^parley-upload-[\da-f-]{36}\.part$/;
const STALE_MS = 86_400_000;

/** Writes a stream to a new file in `folder` and syncs it. When anything fails (abort, disk full, too large) no file is left. */
export async function spool(folder: string, bytes: Readable, { maxBytes, signal }: PutOptions): Promise<Spooled> {
  const path = join(folder, `parley-upload-${randomUUID()}.part`);
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

/** Deletes what crashes left half written in `folder` a day ago; nobody can be writing it any more, whatever the clocks say. */
export async function clearSpooled(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!NAME.test(name)) continue;
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (file && Date.now() - file.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
