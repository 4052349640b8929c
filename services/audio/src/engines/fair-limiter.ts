import { type Condition, GatewayError } from '@parley/protos/errors';

/** How much may be worked on. */
export interface FairLimiterOptions {
  /** Worked on at once. */
  running: number;
  /** Worked on at once for one workspace. */
  runningOfWorkspace: number;
  /** In the gateway at once: those that still arrive and those that wait, too. @default any number */
  inside?: number;
  /** In the gateway at once of one workspace. @default any number */
  insideOfWorkspace?: number;
}

/** Whoever was let in; to be left in any case. */
export interface Admission extends Disposable {
  /** Runs `work` when it is its turn. Rejects with the signal's reason when that aborts before. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Waiting {
  workspaceId: string;
  begin: () => void;
}

/** When clients should come again who were turned away. */
const RETRY_AFTER_MS = 5_000;

/** Bounds what this process works on: a few run, some wait, the rest are turned away at once. First come, first served per workspace. */
export class FairLimiter {
  readonly #limits: FairLimiterOptions;
  readonly #refusal: Condition;
  readonly #inside = new Counter();
  readonly #running = new Counter();
  readonly #waiting: Waiting[] = [];

  /** `refusal`: what those are turned away with who are too many. */
  constructor(limits: FairLimiterOptions, refusal: Condition = 'TRANSCRIPTION_RATE_LIMIT') {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** Lets one in. @throws the refusal when the gateway, or the workspace's part of it, is full */
  enter(workspaceId: string): Admission {
    const { inside = Infinity, insideOfWorkspace = Infinity } = this.#limits;
    if (this.#inside.total >= inside || this.#inside.of(workspaceId) >= insideOfWorkspace) {
      throw new GatewayError(this.#refusal, 'too many of these requests are under way', { retryAfterMs: RETRY_AFTER_MS });
    }
    this.#inside.add(workspaceId);
    let isInside = true;
    return {
      run: (work, signal) => this.#run(workspaceId, work, signal),
      [Symbol.dispose]: () => {
        if (isInside) this.#inside.remove(workspaceId);
        isInside = false;
      },
    };
  }

  async #run<T>(workspaceId: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(workspaceId, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#running.remove(workspaceId);
      this.#next();
    }
  }

  #turn(workspaceId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        workspaceId,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      if (signal.aborted) return reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Lets those begin whose turn it is; a workspace that has its share keeps nobody else waiting. */
  #next(): void {
    const { running, runningOfWorkspace } = this.#limits;
    while (this.#running.total < running) {
      const at = this.#waiting.findIndex(({ workspaceId }) => this.#running.of(workspaceId) < runningOfWorkspace);
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!next) return;
      this.#running.add(next.workspaceId);
      next.begin();
    }
  }
}

/** Counts by workspace, and remembers none that has nothing. */
class Counter {
  total = 0;
  readonly #counts = new Map<string, number>();

  of(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? 0;
  }

  add(workspaceId: string): void {
    this.total++;
    this.#counts.set(workspaceId, this.of(workspaceId) + 1);
  }

  remove(workspaceId: string): void {
    this.total--;
    const left = this.of(workspaceId) - 1;
    if (left > 0) this.#counts.set(workspaceId, left);
    else this.#counts.delete(workspaceId);
  }
}
