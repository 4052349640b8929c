import { type SweepDeps, sweepExpired, sweepOrphans } from './sweep.ts';

/** Sweeps that go on by themselves. */
export interface Sweeper {
  /** Sweeps no more and resolves when the bite in progress is done. */
  stop(): Promise<void>;
}

const EVERY_MS = 600_000;
/** Finding orphans lists the whole store: one round in six does. */
const ORPHAN_ROUNDS = 6;

/** Sweeps now and every ten minutes, in the background; a sweep that fails is logged and the next one does its work. */
export function startSweeper(deps: SweepDeps): Sweeper {
  const { log } = deps;
  const stopping = new AbortController();
  let round = 0;
  const run = async () => {
    try {
      const expired = await sweepExpired(deps, stopping.signal);
      const orphans = round++ % ORPHAN_ROUNDS === 0 ? await sweepOrphans(deps, stopping.signal) : 0;
      if (expired + orphans > 0) log.info({ expired, orphans }, 'old speech swept');
    } catch (err) {
      log.warn({ err }, 'old speech could not be swept');
    }
  };
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      stopping.abort();
      return running;
    },
  };
}
