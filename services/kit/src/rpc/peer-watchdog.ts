import { PULSE } from './keep-alive.ts';

/** The part of a connection that the watchdog uses. */
interface WatchedPeer {
  /** Whether calls are open. */
  isBusy(): boolean;
  /** Asks the peer for any answer, a refusal too. */
  ask(answered: () => void): void;
  /** The peer does not answer. */
  lost(): void;
}

/**
 * Notices that the peer of a connection with open calls is frozen or cut off. Only time in which this process runs counts: after it has stood still
 * itself, as happens on a machine with too little CPU, the answer may be there and only not be read yet.
 */
export class PeerWatchdog {
  readonly #peer: WatchedPeer;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #isAsked = false;
  #waitedMs = 0;

  constructor(peer: WatchedPeer) {
    this.#peer = peer;
  }

  /** A call has begun. */
  begin(): void {
    if (this.#timer) return;
    this.#last = performance.now();
    this.#isAsked = false;
    this.#timer = setInterval(() => this.#beat(), PULSE.everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    const now = performance.now();
    this.#waitedMs += Math.min(now - this.#last, 2 * PULSE.everyMs);
    this.#last = now;
    if (!this.#peer.isBusy()) this.stop();
    else if (!this.#isAsked) this.#ask();
    else if (this.#waitedMs >= PULSE.timeoutMs) {
      this.stop();
      this.#peer.lost();
    }
  }

  #ask(): void {
    this.#isAsked = true;
    this.#waitedMs = 0;
    this.#peer.ask(() => (this.#isAsked = false));
  }
}
