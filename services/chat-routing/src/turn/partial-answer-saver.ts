import { type TurnRecorder } from './turn-recorder.ts';

/** Interval at which the text of a streaming answer is saved; a crash loses at most about this much. */
const EVERY_MS = 1_000;
/**
 * Every save writes the whole text: beyond this length the interval grows in proportion, which bounds the characters written per second.
 */
const CHARACTERS_PER_TIME = 256 * 1_024;

/** Saves the partial text of a streaming answer at intervals, so that it survives a crash. */
export class PartialAnswerSaver {
  readonly #recorder: TurnRecorder;
  readonly #turnId: string;
  #keptAt = performance.now();
  #isKeeping = false;

  constructor(recorder: TurnRecorder, turnId: string) {
    this.#recorder = recorder;
    this.#turnId = turnId;
  }

  /** Saves the whole text so far if the interval has elapsed and no save is in progress. Never throws. */
  saveIfDue(text: string): void {
    const now = performance.now();
    const pauseMs = EVERY_MS * Math.max(1, text.length / CHARACTERS_PER_TIME);
    if (this.#isKeeping || now - this.#keptAt < pauseMs) return;
    this.#keptAt = now;
    this.#isKeeping = true;
    void this.#recorder.savePartial(this.#turnId, text).finally(() => (this.#isKeeping = false));
  }
}
