const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits a text into passages of at most `limit` characters: between sentences, between words where a sentence is longer, and anywhere
 * where a word is longer. Only whitespace at the splits is lost.
 */
export function splitText(text: string, limit: number): string[] {
  const passages: string[] = [];
  let passage = '';
  for (const piece of pieces(text, limit)) {
    if (passage.length + piece.length > limit) {
      passages.push(passage.trim());
      passage = '';
    }
    passage += piece;
  }
  passages.push(passage.trim());
  return passages.filter((one) => one !== '');
}

function* pieces(text: string, limit: number): Generator<string> {
  for (const { segment } of SENTENCES.segment(text)) {
    if (segment.length <= limit) yield segment;
    else for (const word of segment.match(/\s*\S+\s*$|\s*\S+/gu) ?? []) yield* slices(word, limit);
  }
}

/** Splits a word, but never between the halves of a surrogate pair. */
function* slices(word: string, limit: number): Generator<string> {
  let slice = '';
  for (const character of word) {
    if (slice.length + character.length > limit) {
      yield slice;
      slice = '';
    }
    slice += character;
  }
  yield slice;
}
