import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type TurnMessage, TurnMessage as Message } from '@parley/protos/routing/v1/routing';

/** Bytes that are decoded before other requests are served. */
export const SLICE_BYTES = 512 * 1_024;

/** The messages of a turn from the wire, for a service in this process; in slices, so that other requests are served in between. */
export async function decodeMessages(bytes: Uint8Array): Promise<TurnMessage[]> {
  const messages: TurnMessage[] = [];
  let at = 0;
  let sliceEnd = SLICE_BYTES;
  while (at < bytes.length) {
    if (at >= sliceEnd) {
      await letOthersRun();
      sliceEnd = at + SLICE_BYTES;
    }
    const { start, length } = fieldAt(bytes, at);
    messages.push(Message.decode(bytes.subarray(start, start + length)));
    at = start + length;
  }
  // A single message may be megabytes: what follows has a turn of its own.
  if (bytes.length > SLICE_BYTES) await letOthersRun();
  return messages;
}

/** Where the content is of the field with a length that stands at a place; its tag is one byte. */
function fieldAt(bytes: Uint8Array, at: number): { start: number; length: number } {
  let length = 0;
  let start = at + 1;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[start++] ?? 0;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { start, length };
  }
}
