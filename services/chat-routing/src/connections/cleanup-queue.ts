import { type Logger } from '@parley/kit/log/logger';
import { setTimeout as sleep } from 'node:timers/promises';

/** A resource that is to be deleted at an upstream. */
export interface CleanupTask {
  connectionId: string;
  /** Kind of the resource, for the log. */
  resourceType: 'project' | 'turn' | 'sign-in';
  /** Id of the resource at the upstream, or of the connect flow. */
  reference: string;
  /** Id of the request that created the resource. */
  requestId: string;
  /** Deletes the resource; one that no longer exists is not an error. Throws the coded error of the upstream's answer. */
  remove: () => Promise<void>;
}

const RETRY_MS = { first: 500, most: 60_000 };
/** About half an hour of retries. */
const MAX_TRIES = 40;
/** Maximum cleanups that are retried at a time; further ones are logged as left behind. */
const MAX_WAITING = 1_000;

/** Deletes unneeded resources at upstreams. Retries each for about half an hour, then logs it as left behind. */
export class CleanupQueue {
  readonly #log: Logger;
  readonly #closed = new AbortController();
  #waiting = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Tries to delete the resource; resolves after the first try, and retries in the background if it failed. Never rejects. */
  async deleteWithRetries(cleanup: CleanupTask): Promise<void> {
    if (!(await this.#isRemoved(cleanup))) void this.#keepTrying(cleanup);
  }

  close(): void {
    this.#closed.abort();
  }

  async #keepTrying(cleanup: CleanupTask): Promise<void> {
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

  #giveUp({ connectionId, resourceType, reference, requestId }: CleanupTask): void {
    this.#log.error({ connectionId, what: resourceType, reference, requestId }, 'something was left behind upstream');
  }

  async #isRemoved({ connectionId, resourceType, reference, requestId, remove }: CleanupTask): Promise<boolean> {
    try {
      await remove();
      return true;
    } catch (err) {
      this.#log.warn(
        { err, connectionId, what: resourceType, reference, requestId },
        'something that is not needed is still there upstream',
      );
      return false;
    }
  }
}
