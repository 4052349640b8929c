/** Text as PostgreSQL can hold it: without U+0000, which upstream text may contain. */
export function toStorable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Text for JSON columns: also without lone surrogates, which JSON would carry as escapes that PostgreSQL refuses. */
export function toStorableJson(text: string): string {
  return toStorable(Buffer.from(text, 'utf8').toString('utf8'));
}

/** True when both are the same once stored; in a text column a lone surrogate becomes U+FFFD on the way. */
export function equalsStored(given: string, stored: string): boolean {
  return given === stored || Buffer.from(toStorable(given), 'utf8').equals(Buffer.from(stored, 'utf8'));
}

/** The first characters of a text, at most `max` UTF-16 units; a surrogate pair is not cut apart. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
