/** Formats that begin with letters, and would pass for text. */
const NOT_TEXT = /^(%PDF-|%!PS|GIF8[79]a|\{\\rtf)/;
/** What no text has: control characters but tab, line and page breaks, and the escape of coloured logs. */
const CONTROL = new RegExp('[\\u0000-\\u0008\\u000b\\u000e-\\u001a\\u001c-\\u001f\\u007f]');
/** How much is decoded to see what a text begins with. */
const BEGINNING = 512;

/** True for UTF-8 (with or without a byte order mark) that says something and has no control characters. UTF-16 and Latin-1 are not text here. */
export function isText(head: Uint8Array, whole: Uint8Array | undefined): boolean {
  if (NOT_TEXT.test(beginningOf(head))) return false;
  // A head may end within a character; a whole file may not.
  return whole ? isUtf8(whole, false) : isUtf8(head, true);
}

/** True when the text begins as a JSON value does. Whether all of it parses is for its reader to find out. */
export function isJson(head: Uint8Array): boolean {
  return /^\s*([[{"\d-]|true|false|null|$)/.test(beginningOf(head));
}

/** True when the text begins as XML does, and not as HTML. */
export function isXml(head: Uint8Array): boolean {
  return /^\s*<(?!html|!doctype html)/i.test(beginningOf(head));
}

function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut }));
  } catch {
    return false;
  }
}

function beginningOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, BEGINNING));
}
