import { type Bus } from '@parley/kit/bus/bus';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type Principal } from './principal.ts';

/** The counter that a refused request goes to: `rate_limited` for 429, else `errors`. */
export type RefusalKind = 'errors' | 'rate_limited';

interface Count {
  workspaceId: string;
  keyId: string;
  errors: number;
  rateLimited: number;
}

const FLUSH_MS = 1_000;
/** Most keys whose counts wait while the broker is unavailable; requests of further keys are not counted, and logged. */
const MAX_KEYS = 10_000;

/**
 * Counts metered requests of valid keys that were refused before any work began, and publishes the sums. A batch keeps its event ids until
 * the broker has acknowledged it, so that a retry is not counted twice.
 */
export class RefusalCounter {
  readonly #bus: Pick<Bus, 'publish'>;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, Count>();
  #pending: { id: string; events: Event[] } | undefined;
  #flushing: Promise<void> | undefined;

  constructor(bus: Pick<Bus, 'publish'>, log: Logger, flushMs = FLUSH_MS) {
    this.#bus = bus;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), flushMs);
    this.#timer.unref();
  }

  /** Counts one refused request. Principals without a key are ignored, such as the operator, or a person before a workspace is chosen. */
  count(principal: Principal, kind: RefusalKind): void {
    if (principal.keyId === '') return;
    const key = `${principal.workspaceId}/${principal.keyId}`;
    let count = this.#counts.get(key);
    if (!count) {
      if (this.#counts.size >= MAX_KEYS)
        return this.#log.warn(
          { requestId: principal.requestId },
          'too many keys wait for their rejected requests to be published; one request was not counted',
        );
      count = { workspaceId: principal.workspaceId, keyId: principal.keyId, errors: 0, rateLimited: 0 };
      this.#counts.set(key, count);
    }
    if (kind === 'errors') count.errors++;
    else count.rateLimited++;
  }

  /** Publishes the counts; keeps those that cannot be published now. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#publish().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Publishes the remaining counts and stops the timer. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    // Publishes what was counted while an earlier batch was sent.
    if (this.#counts.size > 0) await this.flush();
  }

  async #publish(): Promise<void> {
    this.#pending ??= this.#take();
    if (!this.#pending) return;
    const { id, events } = this.#pending;
    try {
      await this.#bus.publish(EVENT_SUBJECTS.requestRefused, EventBatch.encode({ events }).finish(), { msgId: id });
      this.#pending = undefined;
    } catch (err) {
      this.#log.debug({ err, waiting: this.#counts.size }, 'rejected requests wait for the message broker');
    }
  }

  #take(): { id: string; events: Event[] } | undefined {
    if (this.#counts.size === 0) return undefined;
    const at = new Date();
    const events = [...this.#counts.values()].map((count): Event => ({
      id: uuidv7(),
      payload: { $case: 'requestsRefused', value: { ...count, at } },
    }));
    this.#counts = new Map();
    return { id: uuidv7(), events };
  }
}
