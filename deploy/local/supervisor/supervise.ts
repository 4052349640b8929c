import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffDelay, DEFAULT_BACKOFF } from './backoff.ts';
import { type RunningProcess, type BasicLogger } from './running-process.ts';

/** A process to keep running. `start` resolves when the process is ready, and stops when the signal aborts. */
export interface SuperviseOptions<H extends RunningProcess> {
  readonly name: string;
  readonly start: (signal: AbortSignal) => Promise<H>;
  readonly log: BasicLogger;
  /** Called with the new handle each time the process is ready again. */
  readonly onRestart?: ((handle: H) => void) | undefined;
  /** @default 250 ms doubling to 5 s, reset after 10 s of health */
  readonly backoff?: Backoff | undefined;
}

/** A process that is kept running until `stop`. */
export interface SupervisedProcess<H extends RunningProcess> {
  readonly name: string;
  /** Undefined while the process is down. */
  readonly current: H | undefined;
  stop(): Promise<void>;
}

/** Starts a process and restarts it, with back-off, whenever it ends by itself. Rejects when the first start fails. */
export async function supervise<H extends RunningProcess>(options: SuperviseOptions<H>): Promise<SupervisedProcess<H>> {
  const stopping = new AbortController();
  let current: H | undefined = await options.start(stopping.signal);
  const watching = watch(options, stopping.signal, current, (handle) => (current = handle));
  return {
    name: options.name,
    get current() {
      return current;
    },
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watching;
    },
  };
}

async function watch<H extends RunningProcess>(
  options: SuperviseOptions<H>,
  stopped: AbortSignal,
  first: H,
  publish: (handle: H | undefined) => void,
): Promise<void> {
  const backoff = options.backoff ?? DEFAULT_BACKOFF;
  let attempt = 0;
  let handle: H | undefined = first;
  while (handle) {
    const readyAt = performance.now();
    const { code, signal } = await handle.exited;
    publish(undefined);
    if (stopped.aborted) return;
    if (performance.now() - readyAt >= backoff.healthyAfterMs) attempt = 0;
    const delayMs = backoffDelay(attempt++, backoff);
    options.log.warn({ part: options.name, code, signal, delayMs }, 'part died, restarting');
    handle = await restart(options, stopped, backoff, delayMs, () => attempt++);
    publish(handle);
    if (handle) options.onRestart?.(handle);
  }
}

async function restart<H extends RunningProcess>(
  options: SuperviseOptions<H>,
  stopped: AbortSignal,
  backoff: Backoff,
  firstDelayMs: number,
  nextAttempt: () => number,
): Promise<H | undefined> {
  for (let delayMs = firstDelayMs; ; delayMs = backoffDelay(nextAttempt(), backoff)) {
    await delay(delayMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return undefined;
    try {
      const handle = await options.start(stopped);
      if (!stopped.aborted) return handle;
      // Stopped while it was starting: no other code knows this handle.
      await handle.stop();
      return undefined;
    } catch (error) {
      if (stopped.aborted) return undefined;
      options.log.error({ part: options.name, err: error }, 'part did not start, trying again');
    }
  }
}
