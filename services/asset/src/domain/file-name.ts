const MAX_BYTES = 255;

/**
 * Matches control characters, and invisible ones that reverse or hide text; the joiners U+200C and U+200D are part of many languages and
 * stay.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * Returns a file name that is safe to store, list and write: without a path, line breaks, control characters or changes of the text
 * direction; other Unicode stays. At most 255 bytes of UTF-8, including its extension; `fallback` when nothing is left.
 */
export function toSafeFileName(given: string, fallback = 'file'): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const visible = last.replace(INVISIBLE, '').replace(/\s+/gu, ' ');
  const name = visible.replace(/^[. ]+|[. ]+$/g, '');
  return name === '' ? fallback : shorten(name);
}

/** Returns the extension of a name in lower case, with the dot; empty without one. */
export function readExtension(name: string): string {
  return /\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0].toLowerCase() ?? '';
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  const room = MAX_BYTES - Buffer.byteLength(extension);
  let stem = '';
  let used = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    used += Buffer.byteLength(character);
    if (used > room) break;
    stem += character;
  }
  return stem + extension;
}
