/** Work that runs periodically. */
export interface RecurringTask {
  /** Starts no further round, aborts the signal of the current round and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Runs `round` now and every `everyMs` milliseconds, one at a time. An error of a round is passed to `failed`, and the next round runs. */
export function startRecurringTask(
  round: (signal: AbortSignal) => Promise<void>,
  { everyMs, failed }: { everyMs: number; failed: (error: unknown) => void },
): RecurringTask {
  const stopping = new AbortController();
  const run = () => (stopping.signal.aborted ? Promise.resolve() : round(stopping.signal).catch(failed));
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, everyMs).unref();
  return {
    stop: () => {
      clearInterval(timer);
      stopping.abort();
      return running;
    },
  };
}
