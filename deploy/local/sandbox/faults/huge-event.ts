import { once } from 'node:events';
import { type ServerResponse } from 'node:http';

const MEGABYTES = 50;
let megabyte: Buffer | undefined;

/** Writes one event with 50 MB of text, at the pace of the client and from one buffer, so that memory usage stays constant. */
export async function writeHugeEvent(res: ServerResponse, head: string, tail: string): Promise<void> {
  megabyte ??= Buffer.alloc(1 << 20, 'a');
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  try {
    res.write(`${head}"`);
    for (let written = 0; written < MEGABYTES && !res.destroyed; written++) {
      if (!res.write(megabyte)) await once(res, 'drain', { signal: gone.signal });
    }
    if (!res.destroyed) res.write(`"${tail}`);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}
