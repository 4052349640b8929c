import { GatewayError } from '@parley/protos/errors';

/** How much work may run and wait, in total and of one workspace. */
export interface FairQueueLimits {
  running: number;
  runningOfWorkspace: number;
  waiting: QueueLoad;
  waitingOfWorkspace: QueueLoad;
}

/** Number of files, and their total size in bytes. */
export interface QueueLoad {
  files: number;
  bytes: number;
}

/** The workspace of a piece of work, and how many bytes it holds while it waits. */
export interface QueuedWork {
  workspaceId: string;
  bytes: number;
}

interface WaitingWork extends QueuedWork {
  begin: () => void;
  refuse: (reason: Error) => void;
}

/** `Retry-After` of rejected work, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/**
 * Runs a limited number of pieces of work concurrently. Waiting workspaces take turns: before a piece of work come those of its own
 * workspace, and at most one of every other.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Waiting work by workspace; the workspace whose turn is next comes first. */
  readonly #waiting = new Map<string, WaitingWork[]>();
  readonly #running = new Map<string, number>();
  #closed: Error | undefined;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when it is its turn, and resolves with its result. Throws the errors of `work`, the signal's reason when it aborts before
   * that, and the reason of `close`.
   * @throws RATE_LIMIT_EXCEEDED when too much of the workspace waits, SERVICE_UNAVAILABLE when too much waits in total
   */
  async run<T>(queued: QueuedWork, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(queued, signal);
    try {
      signal?.throwIfAborted();
      if (this.#closed) throw this.#closed;
      return await work();
    } finally {
      this.#end(queued.workspaceId);
    }
  }

  /** Rejects waiting and later work with `reason`. Does not stop running work. */
  close(reason: Error): void {
    this.#closed = reason;
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { refuse } of waiting) refuse(reason);
  }

  #turn(queued: QueuedWork, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed;
      signal?.throwIfAborted();
      const leave = (): void => {
        this.#remove(waiting);
        reject(signal?.reason as Error);
      };
      const waiting: WaitingWork = {
        ...queued,
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        refuse: (reason) => {
          signal?.removeEventListener('abort', leave);
          reject(reason);
        },
      };
      if (!this.#canBegin(queued.workspaceId)) this.#requireRoom(queued);
      signal?.addEventListener('abort', leave, { once: true });
      this.#lane(queued.workspaceId).push(waiting);
      this.#next();
    });
  }

  #requireRoom({ workspaceId, bytes }: QueuedWork): void {
    const { waiting, waitingOfWorkspace } = this.#limits;
    const own = this.#waiting.get(workspaceId) ?? [];
    if (isFull(own, bytes, waitingOfWorkspace)) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many files of this workspace wait to be read', { retryAfterMs: RETRY_AFTER_MS });
    }
    if (isFull([...this.#waiting.values()].flat(), bytes, waiting)) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'too many files wait to be read', { retryAfterMs: RETRY_AFTER_MS });
    }
  }

  /** Starts waiting work while slots are free: of the first workspace in turn that has not reached its limit. */
  #next(): void {
    for (let lane = this.#nextLane(); lane; lane = this.#nextLane()) {
      const [workspaceId, [first, ...rest]] = lane;
      this.#waiting.delete(workspaceId);
      if (rest.length > 0) this.#waiting.set(workspaceId, rest);
      this.#running.set(workspaceId, this.#runningOf(workspaceId) + 1);
      first?.begin();
    }
  }

  #nextLane(): [string, WaitingWork[]] | undefined {
    return [...this.#waiting].find(([workspaceId]) => this.#canBegin(workspaceId));
  }

  #end(workspaceId: string): void {
    const left = this.#runningOf(workspaceId) - 1;
    if (left > 0) this.#running.set(workspaceId, left);
    else this.#running.delete(workspaceId);
    this.#next();
  }

  #canBegin(workspaceId: string): boolean {
    const running = [...this.#running.values()].reduce((sum, one) => sum + one, 0);
    return running < this.#limits.running && this.#runningOf(workspaceId) < this.#limits.runningOfWorkspace;
  }

  #runningOf(workspaceId: string): number {
    return this.#running.get(workspaceId) ?? 0;
  }

  #lane(workspaceId: string): WaitingWork[] {
    const lane = this.#waiting.get(workspaceId) ?? [];
    this.#waiting.set(workspaceId, lane);
    return lane;
  }

  #remove(waiting: WaitingWork): void {
    const rest = (this.#waiting.get(waiting.workspaceId) ?? []).filter((one) => one !== waiting);
    if (rest.length > 0) this.#waiting.set(waiting.workspaceId, rest);
    else this.#waiting.delete(waiting.workspaceId);
  }
}

function isFull(waiting: readonly WaitingWork[], bytes: number, { files, bytes: maxBytes }: QueueLoad): boolean {
  return waiting.length >= files || waiting.reduce((sum, one) => sum + one.bytes, bytes) > maxBytes;
}
