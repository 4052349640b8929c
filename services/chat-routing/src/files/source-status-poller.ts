import { type Logger } from '@parley/kit/log/logger';
import { toGatewayError } from '@parley/protos/errors';
import { type ConnectionRegistry } from '../connections/connection-registry.ts';
import { recordSideCallError } from '../connections/record-call-error.ts';
import {
  claimProjectsWithPendingFiles,
  findNextCheckDelayMs,
  failStaleFiles,
  type ProjectWithPendingFiles,
  setFileStatuses,
} from '../store/files.ts';
import { type Store } from '../store/store.ts';

/** Dependencies of `SourceStatusPoller`. */
export interface SourceStatusPollerDeps {
  store: Store;
  connections: ConnectionRegistry;
  /** Called when the status of a project's files has changed. */
  filesChanged: NotifyFilesChanged;
  log: Logger;
}

/** Notifies pages and replicas that files of a project were added, removed or changed their status. */
export type NotifyFilesChanged = (workspaceId: string, projectId: string) => void;

/** Shortest and longest pause between two checks of the database, which stores when each file is due. */
const LOOK_MS = { soon: 250, idle: 10_000 };
/** Pause after a failed check. */
const AGAIN_MS = 3_000;
/** A file that is processing for longer than this is marked as failed. */
const GIVE_UP_MS = 3_600_000;
/** How long a request that lists a project's files waits for the upstream. */
const REFRESH_MS = 2_000;

/**
 * Polls upstreams for the statuses of project files that are processing, until they are ready or failed. Due times are stored in the
 * database, so that a restart loses nothing and replicas share the work.
 */
export class SourceStatusPoller {
  readonly #deps: SourceStatusPollerDeps;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(deps: SourceStatusPollerDeps) {
    this.#deps = deps;
    this.#schedule(LOOK_MS.soon);
  }

  /** Call when a processing file was added: checks soon. */
  scheduleCheck(): void {
    this.#schedule(LOOK_MS.soon);
  }

  /** Refreshes the statuses of a project's files now, waiting up to 2 seconds. Never rejects; failures are retried later. */
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
      const dueMs = (await findNextCheckDelayMs(database)) ?? LOOK_MS.idle;
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
      const connection = await connections.getChat(workspaceId, connectionId);
      const { provider, upstream, ready } = connection;
      if (!ready || connection.admission() === 'expired' || !provider.projects) return;
      const statuses = await provider.projects.listFileStatuses(upstream, projectRef).catch((error: unknown) => {
        recordSideCallError(this.#deps, connection, upstream.secret, toGatewayError(error));
        throw error;
      });
      if (await setFileStatuses(store.database, projectId, statuses)) filesChanged(workspaceId, projectId);
    } catch (err) {
      log.debug({ err, projectId }, 'the status of the files of a project could not be read; trying again later');
    }
  }
}
