const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Cuts a text into passages of at most `limit` characters: between sentences, or between words where a sentence is longer, or anywhere where a
 * word is. Nothing but space at the cuts gets lost.
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

/** Never between the halves of a surrogate pair. */
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
