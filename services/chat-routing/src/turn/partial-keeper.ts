import { type Recorder } from './recorder.ts';

/** A long answer is kept about this often while it streams, so that a crash loses no more than that. */
const EVERY_MS = 1_000;
/** Every time the whole text is written, so that beyond this length the times between grow with it: so much a second at most. */
const CHARACTERS_PER_TIME = 256 * 1_024;

/** Keeps what a long answer has so far. */
export class PartialKeeper {
  readonly #recorder: Recorder;
  readonly #turnId: string;
  #keptAt = performance.now();
  #isKeeping = false;

  constructor(recorder: Recorder, turnId: string) {
    this.#recorder = recorder;
    this.#turnId = turnId;
  }

  /** Keeps the text if it is time to, and the last time is over. */
  offer(text: string): void {
    const now = performance.now();
    const pauseMs = EVERY_MS * Math.max(1, text.length / CHARACTERS_PER_TIME);
    if (this.#isKeeping || now - this.#keptAt < pauseMs) return;
    this.#keptAt = now;
    this.#isKeeping = true;
    void this.#recorder.savePartial(this.#turnId, text).finally(() => (this.#isKeeping = false));
  }
}
