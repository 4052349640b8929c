import { toPlaceholder } from '../engine/artifacts/artifact-reply.ts';
import { type RecordedArtifact } from '../state/state-changes.ts';

/**
 * Returns the events of artifacts by the index of the piece that completes their placeholder. An artifact whose placeholder is not in the
 * pieces has none.
 */
export function renderArtifactFrames(
  artifacts: readonly RecordedArtifact[],
  pieces: readonly string[],
  frame: (artifact: RecordedArtifact) => string,
): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  if (artifacts.length === 0) return notes;
  const text = pieces.join('');
  for (const artifact of artifacts) {
    const placeholder = toPlaceholder(artifact);
    const start = text.indexOf(placeholder);
    if (start < 0) continue;
    let piece = 0;
    for (let end = pieces[0]?.length ?? 0; end < start + placeholder.length; end += pieces[piece]?.length ?? 0) piece++;
    notes.set(piece, (notes.get(piece) ?? '') + frame(artifact));
  }
  return notes;
}
