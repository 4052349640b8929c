import { toStorable } from './text.ts';

/** Searchable characters of one message; limits the size of the index. */
export const MAX_SEARCHED = 200_000;

/** Normalizes a text for search: Unicode NFC and lower case, independent of the database's locale. */
export function toSearchText(text: string): string {
  return toStorable(text.slice(0, MAX_SEARCHED)).normalize('NFC').toLowerCase();
}

/** The LIKE pattern of texts that contain this one; escapes `%`, `_` and `\`. */
export function toLikePattern(text: string): string {
  return `%${toSearchText(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
}
