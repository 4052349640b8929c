import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@parley/kit/log/logger';
import { type Account } from '../accounts/account.ts';
import { type ProjectStore } from '../store/projects.ts';
import { projectsOf } from './ask-upstream.ts';

/** A project that was made upstream and could not be stored. */
export interface Leftover {
  account: Account;
  projectId: string;
  upstreamRef: string;
}

const RETRY_MS = { first: 500, most: 60_000 };
/** About half an hour. */
const MAX_TRIES = 40;

/** Takes back what was made upstream for nothing. Each is tried until it is gone, or until it turns out to be stored after all. */
export class Leftovers {
  readonly #projects: Pick<ProjectStore, 'find'>;
  readonly #log: Logger;
  readonly #closed = new AbortController();

  constructor(projects: Pick<ProjectStore, 'find'>, log: Logger) {
    this.#projects = projects;
    this.#log = log;
  }

  /** Removes it now, or later when that does not work. Never rejects. */
  async remove(leftover: Leftover): Promise<void> {
    if (!(await this.#isGone(leftover))) void this.#keepTrying(leftover);
  }

  close(): void {
    this.#closed.abort();
  }

  async #keepTrying(leftover: Leftover): Promise<void> {
    const { signal } = this.#closed;
    for (let tries = 0, wait = RETRY_MS.first; tries < MAX_TRIES && !signal.aborted; tries++, wait = Math.min(wait * 2, RETRY_MS.most)) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted && (await this.#isGone(leftover))) return;
    }
    const { account, upstreamRef } = leftover;
    this.#log.error({ connectionId: account.id, upstreamRef }, 'a project was left behind upstream');
  }

  async #isGone({ account, projectId, upstreamRef }: Leftover): Promise<boolean> {
    try {
      // A commit that was cut off may have taken effect.
      if (await this.#projects.find(account.row.workspaceId, projectId)) return true;
      await projectsOf(account).remove(account.upstream, upstreamRef);
      return true;
    } catch (err) {
      this.#log.warn({ err, connectionId: account.id, upstreamRef }, 'a project that could not be stored is still there upstream');
      return false;
    }
  }
}
