import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
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
    const file = await open(path, 'wx', 0o600);
    try {
      await pipeline(bytes, meter, file.createWriteStream({ autoClose: false }), { ...(signal && { signal }) });
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    bytes.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return { path, ...meter.receipt() };
}
