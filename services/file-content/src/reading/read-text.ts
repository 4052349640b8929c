import { type ExtractedText } from '../extracted-text.ts';

/** Maximum number of bytes of a character in UTF-8. */
const MAX_BYTES = 4;

/** Decodes a text file, up to `maxCharacters` characters. */
export function readText(bytes: Uint8Array, maxCharacters: number): ExtractedText {
  // Bytes beyond the last character that fits are not decoded.
  const text = new TextDecoder().decode(bytes.subarray(0, (maxCharacters + 1) * MAX_BYTES)).replaceAll('\0', '');
  if (text.length <= maxCharacters) return { text, omitted: '' };
  return {
    text: text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, ''),
    omitted: `Only the first ${maxCharacters.toLocaleString('en')} characters were read; the rest is left out.`,
  };
}
