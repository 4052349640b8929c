import { toStorableText } from './storable-text.ts';

/** Maximum stored bytes (UTF-8) of a reasoning text, including the marker. */
export const MAX_REASONING_BYTES = 1024 * 1024;
/** Appended to a truncated text. */
export const TRUNCATION_MARKER = '… [cut]';
const KEPT = MAX_REASONING_BYTES - Buffer.byteLength(TRUNCATION_MARKER);

/** Converts a reasoning text to its stored form: truncated between characters at `MAX_REASONING_BYTES`; null when empty. */
export function toStorableReasoning(text: string): string | null {
  if (text === '') return null;
  const kept = toStorableText(text);
  const bytes = Buffer.byteLength(kept);
  return bytes > MAX_REASONING_BYTES ? cut(Buffer.from(kept)) : kept || null;
}

function cut(bytes: Buffer): string {
  let end = KEPT;
  // A continuation byte is never the first of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + TRUNCATION_MARKER;
}
