import { type Logger } from '@parley/kit/log/logger';
import { toGatewayError } from '@parley/protos/errors';
import { type Accounts } from '../accounts/accounts.ts';
import { recordSideCallOutcome } from '../accounts/record-outcome.ts';
import { type FileStore, type PendingProject } from '../store/files.ts';

/** What following sources works with. */
export interface FollowerDeps {
  files: FileStore;
  accounts: Accounts;
  log: Logger;
}

/** Pauses between two looks: while something is being worked on, and otherwise. When each file is due is written with it. */
const LOOK_MS = { soon: 250, idle: 3_000 };
/** What an upstream works on for longer has failed. */
const GIVE_UP_MS = 3_600_000;
/** How long a request that lists the files of a project waits for the upstream. */
const REFRESH_MS = 2_000;

/**
 * Follows the files of projects that upstreams are still working on, until they are ready or failed. What is due is in the database, so that
 * a restart forgets nothing and replicas share the work.
 */
export class SourceFollower {
  readonly #deps: FollowerDeps;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#schedule(LOOK_MS.soon);
  }

  /** There is something new to follow. */
  poke(): void {
    this.#schedule(LOOK_MS.soon);
  }

  /** Asks the upstream at once for the status of a project's files. What cannot be asked now is asked later. */
  async refresh(project: PendingProject): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, REFRESH_MS)));
    await Promise.race([this.#ask(project), patience]);
    clearTimeout(timer);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return this.#schedule(LOOK_MS.soon);
    this.#isLooking = true;
    let next = LOOK_MS.idle;
    try {
      const due = await this.#deps.files.claimPending();
      await Promise.all(due.map((project) => this.#ask(project)));
      if (due.length > 0) next = LOOK_MS.soon;
    } catch (err) {
      this.#deps.log.warn({ err }, 'the files of projects could not be followed; trying again later');
    }
    this.#isLooking = false;
    this.#schedule(next);
  }

  /** Never rejects. */
  async #ask({ projectId, projectRef, workspaceId, connectionId }: PendingProject): Promise<void> {
    const { files, accounts, log } = this.#deps;
    try {
      await files.giveUp(projectId, GIVE_UP_MS);
      const account = await accounts.find(workspaceId, connectionId);
      const { provider, upstream, ready } = account;
      if (!ready || account.admission() === 'expired' || !provider.projects) return;
      const statuses = await provider.projects.fileStatuses(upstream, projectRef).catch((error: unknown) => {
        recordSideCallOutcome(this.#deps, account, upstream.secret, toGatewayError(error));
        throw error;
      });
      await files.setStatuses(projectId, statuses);
    } catch (err) {
      log.debug({ err, projectId }, 'the status of the files of a project could not be read; trying again later');
    }
  }
}
