import { type EntryOf } from './entries.ts';

/** Sounds that are remembered; the oldest are forgotten first. */
const MOST = 20_000;

/** What was spoken here, by the fingerprints of its sound. */
export class Speeches {
  private readonly texts = new Map<string, string>();

  add({ fingerprints, text }: EntryOf<'spoken'>): void {
    for (const fingerprint of fingerprints) {
      this.texts.delete(fingerprint);
      this.texts.set(fingerprint, text);
    }
    for (const fingerprint of this.texts.keys()) {
      if (this.texts.size <= MOST) return;
      this.texts.delete(fingerprint);
    }
  }

  /** What a sound says; undefined for one that was not spoken here. */
  textOf(fingerprint: string): string | undefined {
    return this.texts.get(fingerprint);
  }
}
