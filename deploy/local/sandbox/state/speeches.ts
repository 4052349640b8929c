import { type StateChangeOf } from './state-changes.ts';

/** Maximum number of fingerprints; the oldest are dropped first. */
const MOST = 20_000;

/** Texts of synthesized speech, by the fingerprint of its samples. */
export class Speeches {
  private readonly texts = new Map<string, string>();

  add({ fingerprints, text }: StateChangeOf<'spoken'>): void {
    for (const fingerprint of fingerprints) {
      this.texts.delete(fingerprint);
      this.texts.set(fingerprint, text);
    }
    for (const fingerprint of this.texts.keys()) {
      if (this.texts.size <= MOST) return;
      this.texts.delete(fingerprint);
    }
  }

  /** Returns the text of a fingerprint; undefined for audio that was not synthesized here. */
  findText(fingerprint: string): string | undefined {
    return this.texts.get(fingerprint);
  }
}
