import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@parley/kit/log/logger';

/** Something that is to be removed from an upstream. */
export interface Cleanup {
  connectionId: string;
  /** What it is, for the log. */
  what: 'project' | 'turn' | 'sign-in';
  /** What the upstream calls it, or the id of the flow. */
  reference: string;
  /** Of the request that made it. */
  requestId: string;
  /** Removes it; what is gone already is no error. Throws what the upstream's answer means. */
  remove: () => Promise<void>;
}

const RETRY_MS = { first: 500, most: 60_000 };
/** About half an hour. */
const MAX_TRIES = 40;
/** What waits at most; of more is logged that it was left behind. */
const MAX_WAITING = 1_000;

/** Removes what was made upstream for nothing. Each is tried until it is gone, for about half an hour. */
export class CleanupQueue {
  readonly #log: Logger;
  readonly #closed = new AbortController();
  #waiting = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Removes it now, or later when that does not work. Never rejects. */
  async remove(cleanup: Cleanup): Promise<void> {
    if (!(await this.#isRemoved(cleanup))) void this.#keepTrying(cleanup);
  }

  close(): void {
    this.#closed.abort();
  }

  async #keepTrying(cleanup: Cleanup): Promise<void> {
    if (this.#waiting >= MAX_WAITING) return this.#giveUp(cleanup);
    const { signal } = this.#closed;
    this.#waiting++;
    for (let tries = 0, wait = RETRY_MS.first; tries < MAX_TRIES && !signal.aborted; tries++, wait = Math.min(wait * 2, RETRY_MS.most)) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || !(await this.#isRemoved(cleanup))) continue;
      this.#waiting--;
      return;
    }
    this.#waiting--;
    this.#giveUp(cleanup);
  }

  #giveUp({ connectionId, what, reference, requestId }: Cleanup): void {
    this.#log.error({ connectionId, what, reference, requestId }, 'something was left behind upstream');
  }

  async #isRemoved({ connectionId, what, reference, requestId, remove }: Cleanup): Promise<boolean> {
    try {
      await remove();
      return true;
    } catch (err) {
      this.#log.warn({ err, connectionId, what, reference, requestId }, 'something that is not needed is still there upstream');
      return false;
    }
  }
}
