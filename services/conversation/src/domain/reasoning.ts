import { toStorable } from './text.ts';

/** Bytes of UTF-8 kept of what a model thought, the mark included. */
export const MAX_REASONING = 1024 * 1024;
/** Ends a text that was longer. */
export const CUT_MARK = '… [cut]';
const KEPT = MAX_REASONING - Buffer.byteLength(CUT_MARK);

/** What a model thought, as it is stored: cut between characters where it is longer than `MAX_REASONING`; null for nothing. */
export function toStorableReasoning(text: string): string | null {
  if (text === '') return null;
  const kept = toStorable(text);
  const bytes = Buffer.byteLength(kept);
  return bytes > MAX_REASONING ? cut(Buffer.from(kept)) : kept || null;
}

function cut(bytes: Buffer): string {
  let end = KEPT;
  // A continuation byte is never the first of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + CUT_MARK;
}
