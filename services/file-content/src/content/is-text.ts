import { isUtf8 } from 'node:buffer';

/** Formats that begin with letters, and would pass for text. */
const NOT_TEXT = /^(%PDF-|%!PS|GIF8[79]a|\{\\rtf)/;
/** The control characters that text has, one bit each: tab, line and page breaks, and the escape of coloured logs. */
const ALLOWED = (1 << 0x09) | (1 << 0x0a) | (1 << 0x0c) | (1 << 0x0d) | (1 << 0x1b);
/** How much is decoded to see what a text begins with. */
const BEGINNING = 512;

/** True for UTF-8 (with or without a byte order mark) that says something and has no control characters. UTF-16 and Latin-1 are not text here. */
export function isText(head: Uint8Array, whole: Uint8Array | undefined): boolean {
  if (NOT_TEXT.test(readStart(head))) return false;
  // A head may end within a character; a whole file may not.
  return isPlain(whole ?? withoutCutEnd(head));
}

/** True when the text begins as a JSON value does. Whether all of it parses is for its reader to find out. */
export function isJson(head: Uint8Array): boolean {
  return /^\s*([[{"\d-]|true|false|null|$)/.test(readStart(head));
}

/** True when the text begins as XML does, and not as HTML. */
export function isXml(head: Uint8Array): boolean {
  return /^\s*<(?!html|!doctype html)/i.test(readStart(head));
}

// By bytes, not as a string, and without a call for each of them: it runs on the event loop, for up to 10 MiB.
function isPlain(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  for (const byte of bytes) if (byte < 0x20 && ((ALLOWED >> byte) & 1) === 0) return false;
  return true;
}

/** The bytes without a character at their end that has only begun. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    // Longer ones have a bit more set for each byte; 10xxxxxx goes on with one.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.subarray(0, -back) : bytes;
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

function readStart(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, BEGINNING));
}
