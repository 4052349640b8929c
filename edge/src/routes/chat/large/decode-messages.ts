import { type TurnMessage, TurnMessage as Message } from '@parley/protos/routing/v1/routing';
import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Bytes that are decoded before the event loop serves other requests. */
export const SLICE_BYTES = 512 * 1_024;

/** Decodes the messages of a turn for a service in this process; in slices, so that other requests are served in between. */
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
  // A single message may be megabytes, so the caller continues in a new task.
  if (bytes.length > SLICE_BYTES) await letOthersRun();
  return messages;
}

/** Returns the position and the length of the content of the length-delimited field at `at`, whose tag is one byte. */
function fieldAt(bytes: Uint8Array, at: number): { start: number; length: number } {
  let length = 0;
  let start = at + 1;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[start++] ?? 0;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { start, length };
  }
}
