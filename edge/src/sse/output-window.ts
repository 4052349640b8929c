/** How long frames are gathered when many streams are open. No reader notices it, and it saves about every second socket write. */
const WINDOW_MS = 2;
/** With fewer open streams than this every frame leaves at once. */
const MANY = 8;

/** A stream with frames that wait. */
export interface Gatherer {
  flush(): void;
}

/** One timer for all streams of the process: those with frames waiting are flushed together. */
export class OutputWindow {
  #open = 0;
  #waiting: Gatherer[] = [];

  /** Counts a stream in; the answer counts it out. */
  enter(): () => void {
    this.#open++;
    return () => this.#open--;
  }

  /** Whether frames should wait for each other. */
  get isCrowded(): boolean {
    return this.#open >= MANY;
  }

  /** Flushes the stream when the window closes. */
  add(gatherer: Gatherer): void {
    if (this.#waiting.push(gatherer) === 1) setTimeout(() => this.#close(), WINDOW_MS);
  }

  #close(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const gatherer of waiting) gatherer.flush();
  }
}
