import { type ErrorCondition, GatewayError } from '@parley/protos/errors';

/** Limits of concurrent work. */
export interface AdmissionLimits {
  /** Maximum number of concurrent runs. */
  maxRunning: number;
  /** Maximum number of concurrent runs of one workspace. */
  maxRunningPerWorkspace: number;
  /** Maximum number of admitted requests: including uploads in progress and waiting work. @default unlimited */
  maxAdmitted?: number;
  /** Maximum number of admitted requests of one workspace. @default unlimited */
  maxAdmittedPerWorkspace?: number;
}

/** An admitted request; must be disposed of. */
export interface Admission extends Disposable {
  /** Runs `work` when a slot is free. Rejects with the signal's reason when it aborts before that. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Waiting {
  workspaceId: string;
  begin: () => void;
}

/** `Retry-After` of rejected requests, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Limits the work of this process: some requests run, some wait, the rest are rejected at once. First in, first out within a workspace. */
export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  readonly #refusal: ErrorCondition;
  readonly #inside = new Counter();
  readonly #running = new Counter();
  readonly #waiting: Waiting[] = [];

  /** `refusal`: the condition of rejected requests. */
  constructor(limits: AdmissionLimits, refusal: ErrorCondition = 'TRANSCRIPTION_RATE_LIMIT') {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** Number of runs in progress. */
  get running(): number {
    return this.#running.total;
  }

  /** Number of runs that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Admits a request. @throws an error with the condition `refusal` when the limit of the process or of the workspace is reached */
  admit(workspaceId: string): Admission {
    const { maxAdmitted = Infinity, maxAdmittedPerWorkspace = Infinity } = this.#limits;
    if (this.#inside.total >= maxAdmitted || this.#inside.of(workspaceId) >= maxAdmittedPerWorkspace) {
      throw new GatewayError(this.#refusal, 'too many of these requests are in progress', { retryAfterMs: RETRY_AFTER_MS });
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
    await this.#waitForSlot(workspaceId, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#running.remove(workspaceId);
      this.#next();
    }
  }

  #waitForSlot(workspaceId: string, signal: AbortSignal): Promise<void> {
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

  /** Starts waiting work while slots are free; a workspace at its limit does not block others. */
  #next(): void {
    const { maxRunning, maxRunningPerWorkspace } = this.#limits;
    while (this.#running.total < maxRunning) {
      const at = this.#waiting.findIndex(({ workspaceId }) => this.#running.of(workspaceId) < maxRunningPerWorkspace);
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!next) return;
      this.#running.add(next.workspaceId);
      next.begin();
    }
  }
}

/** Counts by workspace; drops counts of zero. */
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
