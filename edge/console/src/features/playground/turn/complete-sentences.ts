/** Sentences that a screen reader announces at once. */
const LAST = 20;

/** Returns the complete sentences of a growing text, and the last one once the text has ended. */
export function listCompleteSentences(text: string, hasEnded: boolean): { at: number; sentence: string }[] {
  const sentences: { at: number; sentence: string }[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(/[.!?](?=\s)|[。！？]|\n/g)) {
    const to = index + end.length;
    sentences.push({ at: from, sentence: text.slice(from, to).trim() });
    from = to;
  }
  if (hasEnded) sentences.push({ at: from, sentence: text.slice(from).trim() });
  return sentences.filter(({ sentence }) => sentence !== '').slice(-LAST);
}
