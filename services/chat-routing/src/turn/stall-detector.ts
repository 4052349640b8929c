import { pause } from '@parley/kit/lifecycle/pause';
import { STALL_MS } from '@parley/kit/rpc/keep-alive';

const TICK_MS = 250;
/** Time allowed for reading the disconnects of clients that left during a stall, in milliseconds. */
const AFTERMATH_MS = 500;

/** Detects when this process was frozen for so long that its callers may have disconnected. */
export class StallDetector {
  readonly #missedMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #noticed: (stoodMs: number) => void;
  #last = performance.now();
  #aftermath: Promise<void> | undefined;

  /** `noticed` is called with the length of each stall in milliseconds. `missedMs`: shortest stall that is reported. */
  constructor(noticed: (stoodMs: number) => void, missedMs = STALL_MS) {
    this.#noticed = noticed;
    this.#missedMs = missedMs;
    this.#timer = setInterval(() => this.#look(), TICK_MS).unref();
  }

  /** Resolves when the disconnects of clients that left during the last stall have been read; undefined when there was no recent stall. */
  get whenDisconnectsRead(): Promise<void> | undefined {
    // A process that was frozen while polling reads its sockets before any timer fires, so check here as well.
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
