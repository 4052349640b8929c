import { pause } from '@parley/kit/lifecycle/pause';
import { MISSED_MS } from '@parley/kit/rpc/keep-alive';

const TICK_MS = 250;
/** How long it may take until the ends of connections are read that broke meanwhile. */
const AFTERMATH_MS = 500;

/** Watches whether this process stands still, for so long that its clients may have given it up. */
export class StallDetector {
  readonly #missedMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #noticed: (stoodMs: number) => void;
  #last = performance.now();
  #aftermath: Promise<void> | undefined;

  /** `noticed` is called with the milliseconds for which the process stood still. */
  constructor(noticed: (stoodMs: number) => void, missedMs = MISSED_MS) {
    this.#noticed = noticed;
    this.#missedMs = missedMs;
    this.#timer = setInterval(() => this.#look(), TICK_MS).unref();
  }

  /** Resolves when it is known which clients have left during the last standstill; undefined when there is nothing to wait for. */
  get aftermath(): Promise<void> | undefined {
    // A process that stood still while it waited for its sockets reads them before a timer fires.
    this.#look();
    return this.#aftermath;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const stoodMs = now - this.#last - TICK_MS;
    this.#last = now;
    if (stoodMs < this.#missedMs) return;
    this.#noticed(stoodMs);
    const aftermath = pause(AFTERMATH_MS).then(() => {
      if (this.#aftermath === aftermath) this.#aftermath = undefined;
    });
    this.#aftermath = aftermath;
  }
}
