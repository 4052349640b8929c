import { toStorable } from './text.ts';

/** How much of one message can be searched, in characters: the index of a longer one would cost more than it is worth. */
export const MAX_SEARCHED = 200_000;

/** A text as it is compared: the same for all spellings of a letter and for capitals, whatever the database's locale. */
export function toSearchText(text: string): string {
  return toStorable(text.slice(0, MAX_SEARCHED)).normalize('NFC').toLowerCase();
}

/** The LIKE pattern of texts that contain this one, where `%`, `_` and `\` stand for themselves. */
export function toLikePattern(text: string): string {
  return `%${toSearchText(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
}
