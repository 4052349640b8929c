import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobReceipt, PutOptions } from './blob-store.ts';
import { Meter } from './meter.ts';

/** A complete, synced file that waits for its place. */
export interface Spooled extends BlobReceipt {
  path: string;
}

/** Writes a stream to a new file in `folder` and syncs it. When anything fails (abort, disk full, too large) no file is left. */
export async function spool(folder: string, bytes: Readable, { maxBytes, signal }: PutOptions): Promise<Spooled> {
  const path = join(folder, `${randomUUID()}.part`);
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
