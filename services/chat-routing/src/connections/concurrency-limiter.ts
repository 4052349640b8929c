import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';

/** Limits of the queue for slots of a connection. */
export interface QueueLimits {
  /** Maximum turns that wait. @default 1_000 */
  length: number;
  /** Maximum wait of a turn in milliseconds. @default 10_000 */
  waitMs: number;
}

interface Waiter {
  admit: () => void;
}

/** `retry_after` of a rejected turn; short, because slots become free all the time. */
const RETRY_MS = 1_000;
/** Minimum time between two calls of `crowded`. */
const NOTIFY_MS = 10_000;

/**
 * Limits the concurrent turns of one connection in this process. Further turns wait in order of arrival, for a limited time. Acquiring a
 * free slot costs a comparison and an increment.
 */
export class ConcurrencyLimiter {
  readonly #queue: QueueLimits;
  readonly #waiting = new Set<Waiter>();
  #limit: number;
  #inFlight = 0;
  readonly #crowded: () => void;
  #notifiedAt = Number.NEGATIVE_INFINITY;

  /** `crowded` is called when a turn has to wait, at most every 10 seconds. */
  constructor(limit: number, queue: QueueLimits, crowded: () => void = () => undefined) {
    this.#limit = limit;
    this.#queue = queue;
    this.#crowded = crowded;
  }

  /** Number of turns that hold a slot. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Number of turns that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether a slot is free. */
  get hasSlot(): boolean {
    return this.#inFlight < this.#limit;
  }

  /** Whether the queue has space for another turn. */
  get hasQueueCapacity(): boolean {
    return this.#waiting.size < this.#queue.length;
  }

  /** Changes the limit. New slots go to waiting turns; when the limit shrinks, running turns keep their slots. */
  resize(limit: number): void {
    this.#limit = limit;
    for (const next of this.#waiting) {
      if (!this.hasSlot) return;
      this.#inFlight++;
      next.admit();
    }
  }

  /** Takes a slot without waiting; false when none is free. Cannot overtake waiting turns: while turns wait, no slot is free. */
  tryAcquire(): boolean {
    if (!this.hasSlot) return false;
    this.#inFlight++;
    return true;
  }

  /**
   * Takes a slot, waiting behind earlier turns if necessary. Rejects with PROVIDER_RATE_LIMITED when the queue is full or the wait too
   * long, and with the call's error when the call is aborted in the meantime.
   */
  async acquire(call: Call): Promise<void> {
    if (this.tryAcquire()) return;
    if (call.abortReason) throw call.abortReason;
    this.#notifyCrowded();
    if (!this.hasQueueCapacity) throw tooMany('as many turns of this account as may wait are waiting');
    await this.#wait(call);
  }

  /** Releases a slot; the turn that has waited longest gets it. */
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
      const giveUp = () => refuse(call.abortReason ?? new GatewayError('CANCELLED', 'the caller gave up'));
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
