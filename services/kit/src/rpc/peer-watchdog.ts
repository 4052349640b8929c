import { HEALTH_CHECK_TIMING } from './keep-alive.ts';

/** The part of a connection that the watchdog uses. */
interface WatchedPeer {
  /** Whether calls are open. */
  isBusy(): boolean;
  /** Sends a health check; `answered` is called on any answer, including an error. */
  ask(answered: () => void): void;
  /** Called when the peer has not answered in time. */
  lost(): void;
}

/**
 * Detects that the peer of a connection with open calls is frozen or unreachable. Only time in which this process runs is counted: after a
 * stall of this process, as on a machine with too little CPU, the answer may have arrived without being read yet.
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

  /** Starts the checks when a call begins; they stop by themselves when no call is open. */
  begin(): void {
    if (this.#timer) return;
    this.#last = performance.now();
    this.#isAsked = false;
    this.#timer = setInterval(() => this.#beat(), HEALTH_CHECK_TIMING.everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    const now = performance.now();
    this.#waitedMs += Math.min(now - this.#last, 2 * HEALTH_CHECK_TIMING.everyMs);
    this.#last = now;
    if (!this.#peer.isBusy()) this.stop();
    else if (!this.#isAsked) this.#ask();
    else if (this.#waitedMs >= HEALTH_CHECK_TIMING.timeoutMs) {
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
