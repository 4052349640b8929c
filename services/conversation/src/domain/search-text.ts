/** Maximum searchable characters of one message. */
export const MAX_SEARCHABLE_LENGTH = 200_000;

/** What a search looks for. The database folds case, so that texts and patterns are folded alike. */
export interface SearchPattern {
  /** The text in Unicode NFC. */
  text: string;
  /** The LIKE pattern of texts that contain it; `%`, `_` and `\` are escaped. */
  likePattern: string;
  /** A part of the text that no normalization changes, so that a text without it need not be normalized. May be empty. */
  stablePart: string;
  /** Whether the trigram index can find the text: it contains three letters or digits in a row. */
  hasTrigram: boolean;
}

/** Prepares a text that is not empty for search. */
export function toSearchPattern(search: string): SearchPattern {
  const text = search.normalize('NFC');
  return {
    text,
    likePattern: `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
    stablePart: longestStablePart(text),
    hasTrigram: /[\p{L}\p{N}]{3}/u.test(text),
  };
}

/** The longest run of characters that have no other Unicode form, as most letters without diacritics. */
function longestStablePart(text: string): string {
  let longest = '';
  let run = '';
  for (const character of text) {
    run = character.normalize('NFD') === character && !/\p{M}/u.test(character) ? run + character : '';
    if (run.length > longest.length) longest = run;
  }
  return longest;
}
