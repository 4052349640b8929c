import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';

/** How turns wait for a slot of a connection. */
export interface QueueLimits {
  /** Turns that may wait. @default 1_000 */
  length: number;
  /** How long one waits, in milliseconds. @default 10_000 */
  waitMs: number;
}

interface Waiter {
  admit: () => void;
}

/** A client may try again so soon: turns end all the time. */
const RETRY_MS = 1_000;
/** Least time between two calls of `crowded`. */
const NOTIFY_MS = 10_000;

/**
 * The turns of one account in this process: so many at once, the others in the order in which they came, for a while.
 * A turn that finds a free slot costs a comparison and an increment.
 */
export class ConcurrencyLimiter {
  readonly #queue: QueueLimits;
  readonly #waiting = new Set<Waiter>();
  #limit: number;
  #inFlight = 0;
  readonly #crowded: () => void;
  #notifiedAt = Number.NEGATIVE_INFINITY;

  /** `crowded` is called when turns wait, once in a while. */
  constructor(limit: number, queue: QueueLimits, crowded: () => void = () => undefined) {
    this.#limit = limit;
    this.#queue = queue;
    this.#crowded = crowded;
  }

  /** Turns under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Turns that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** A turn could begin now. */
  get hasSlot(): boolean {
    return this.#inFlight < this.#limit;
  }

  /** A turn could wait, if need be. */
  get canWait(): boolean {
    return this.#waiting.size < this.#queue.length;
  }

  /** Changes the limit: new slots go to the turns that wait; with fewer slots, running turns keep theirs. */
  resize(limit: number): void {
    this.#limit = limit;
    for (const next of this.#waiting) {
      if (!this.hasSlot) return;
      this.#inFlight++;
      next.admit();
    }
  }

  /** Takes a slot; false when there is none. Turns that wait are served first, as there is no free slot then. */
  tryAcquire(): boolean {
    if (!this.hasSlot) return false;
    this.#inFlight++;
    return true;
  }

  /**
   * Takes a slot, or waits for it behind the others. Rejects with PROVIDER_RATE_LIMITED when too many wait or it takes too long,
   * and with the reason of a call that is given up meanwhile.
   */
  async acquire(call: Call): Promise<void> {
    if (this.tryAcquire()) return;
    if (call.abandoned) throw call.abandoned;
    this.#notifyCrowded();
    if (!this.canWait) throw tooMany('as many turns of this account as may wait are waiting');
    await this.#wait(call);
  }

  /** Releases a slot to the turn that has waited longest. */
  release(): void {
    if (this.#waiting.size === 0 || this.#inFlight > this.#limit) {
      this.#inFlight--;
      return;
    }
    const [next] = this.#waiting;
    next?.admit();
  }

  #notifyCrowded(): void {
    const now = performance.now();
    if (now - this.#notifiedAt < NOTIFY_MS) return;
    this.#notifiedAt = now;
    this.#crowded();
  }

  #wait(call: Call): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#waiting.delete(waiter);
        clearTimeout(timer);
        call.signal.removeEventListener('abort', giveUp);
      };
      const refuse = (error: GatewayError) => {
        done();
        reject(error);
      };
      const giveUp = () => refuse(call.abandoned ?? new GatewayError('CANCELLED', 'the caller gave up'));
      const waiter: Waiter = {
        admit: () => {
          done();
          resolve();
        },
      };
      const timer = setTimeout(() => refuse(tooMany('no turn of this account has ended in time')), this.#queue.waitMs).unref();
      this.#waiting.add(waiter);
      call.signal.addEventListener('abort', giveUp);
    });
  }
}

function tooMany(message: string): GatewayError {
  return new GatewayError('PROVIDER_RATE_LIMITED', message, { retryAfterMs: RETRY_MS });
}
