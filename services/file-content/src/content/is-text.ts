import { isUtf8 } from 'node:buffer';

/** Formats that begin with letters and would be taken for text. */
const NOT_TEXT = /^(%PDF-|%!PS|GIF8[79]a|\{\\rtf)/;
/** Control characters that are allowed in text, one bit each: tab, line and page breaks, and the escape of coloured logs. */
const ALLOWED = (1 << 0x09) | (1 << 0x0a) | (1 << 0x0c) | (1 << 0x0d) | (1 << 0x1b);
/** Number of bytes that are decoded to check the beginning of a text. */
const BEGINNING = 512;

/**
 * Whether bytes are UTF-8 (with or without a byte order mark) without other control characters. UTF-16 and Latin-1 do not count as text.
 */
export function isText(head: Uint8Array, whole: Uint8Array | undefined): boolean {
  if (NOT_TEXT.test(readStart(head))) return false;
  // A head may end within a character; a whole file may not.
  return isPlain(whole ?? withoutCutEnd(head));
}

/** Whether a text begins like a JSON value. Does not parse it. */
export function startsLikeJson(head: Uint8Array): boolean {
  return /^\s*([[{"\d-]|true|false|null|$)/.test(readStart(head));
}

/** Whether a text begins like XML, and not like HTML. */
export function startsLikeXml(head: Uint8Array): boolean {
  return /^\s*<(?!html|!doctype html)/i.test(readStart(head));
}

// Checks bytes, not a string, and without a call for each of them: it runs on the event loop, for up to 10 MiB.
function isPlain(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  for (const byte of bytes) if (byte < 0x20 && ((ALLOWED >> byte) & 1) === 0) return false;
  return true;
}

/** Returns the bytes without an incomplete character at their end. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    // A lead byte has one more bit set for each byte of its character; 10xxxxxx is a continuation byte.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.subarray(0, -back) : bytes;
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

function readStart(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, BEGINNING));
}
