import { type Logger } from '@parley/kit/log/logger';
import { toGatewayError } from '@parley/protos/errors';
import { type Connections } from '../connections/connections.ts';
import { recordSideCallOutcome } from '../connections/record-outcome.ts';
import {
  claimProjectsWithPendingFiles,
  findNextCheckMs,
  failStaleFiles,
  type ProjectWithPendingFiles,
  setFileStatuses,
} from '../store/files.ts';
import { type Store } from '../store/store.ts';

/** What following sources works with. */
export interface FollowerDeps {
  store: Store;
  connections: Connections;
  /** Files of a project have moved. */
  filesChanged: FilesChanged;
  log: Logger;
}

/** Tells pages and replicas that the files of a project are others, or have another status. */
export type FilesChanged = (workspaceId: string, projectId: string) => void;

/** Shortest and longest pause between two looks. When each file is due is written with it. */
const LOOK_MS = { soon: 250, idle: 10_000 };
/** After a failure. */
const AGAIN_MS = 3_000;
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
  async refresh(project: ProjectWithPendingFiles): Promise<void> {
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
    let next = AGAIN_MS;
    try {
      const { database } = this.#deps.store;
      const dueMs = (await findNextCheckMs(database)) ?? LOOK_MS.idle;
      if (dueMs <= 0) await Promise.all((await claimProjectsWithPendingFiles(database)).map((project) => this.#ask(project)));
      next = Math.min(Math.max(dueMs, LOOK_MS.soon), LOOK_MS.idle);
    } catch (err) {
      this.#deps.log.warn({ err }, 'the files of projects could not be followed; trying again later');
    }
    this.#isLooking = false;
    this.#schedule(next);
  }

  /** Never rejects. */
  async #ask({ projectId, projectRef, workspaceId, connectionId }: ProjectWithPendingFiles): Promise<void> {
    const { store, connections, filesChanged, log } = this.#deps;
    try {
      if (await failStaleFiles(store.database, projectId, GIVE_UP_MS)) filesChanged(workspaceId, projectId);
      const connection = await connections.find(workspaceId, connectionId);
      const { provider, upstream, ready } = connection;
      if (!ready || connection.admission() === 'expired' || !provider.projects) return;
      const statuses = await provider.projects.fileStatuses(upstream, projectRef).catch((error: unknown) => {
        recordSideCallOutcome(this.#deps, connection, upstream.secret, toGatewayError(error));
        throw error;
      });
      if (await setFileStatuses(store.database, projectId, statuses)) filesChanged(workspaceId, projectId);
    } catch (err) {
      log.debug({ err, projectId }, 'the status of the files of a project could not be read; trying again later');
    }
  }
}
