import { placeholderOf } from '../engine/artifacts/answer.ts';
import { type RecordedArtifact } from '../state/entries.ts';

/** The piece of a reply with which each artifact has come: the one that completes its placeholder. What the pieces do not get to has not come. */
export function artifactNotes(
  artifacts: readonly RecordedArtifact[],
  pieces: readonly string[],
  frame: (artifact: RecordedArtifact) => string,
): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  if (artifacts.length === 0) return notes;
  const text = pieces.join('');
  for (const artifact of artifacts) {
    const placeholder = placeholderOf(artifact);
    const start = text.indexOf(placeholder);
    if (start < 0) continue;
    let piece = 0;
    for (let end = pieces[0]?.length ?? 0; end < start + placeholder.length; end += pieces[piece]?.length ?? 0) piece++;
    notes.set(piece, (notes.get(piece) ?? '') + frame(artifact));
  }
  return notes;
}
