/** Removes U+0000, which upstream text may contain and PostgreSQL rejects. */
export function toStorableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Converts text for JSON columns: also replaces lone surrogates, whose JSON escapes PostgreSQL rejects. */
export function toStorableJsonText(text: string): string {
  return toStorableText(text.toWellFormed());
}

/** True when `given` equals `stored` after storing; a text column turns a lone surrogate into U+FFFD. */
export function equalsStoredText(given: string, stored: string): boolean {
  return given === stored || Buffer.from(toStorableText(given), 'utf8').equals(Buffer.from(stored, 'utf8'));
}

/** The first characters of a text, at most `max` UTF-16 units; a surrogate pair is not cut apart. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
