import { LeasedWorkers, type WorkerTiming } from '@parley/kit/leases/leased-workers';
import { type LeasedRun, claimRuns, countBacklog, nextDueMs, renewLeases } from '../store/leases.ts';
import { executeRun } from './execute-run.ts';
import { type WorkDeps } from './work-deps.ts';

/** Options of the workers of runs. */
export interface WorkersOptions extends WorkDeps {
  /** Name of this process, stored in leases. */
  owner: string;
  /** Maximum number of concurrent runs in this process. */
  workers: number;
  /** Maximum number of concurrent runs of one workspace, over all replicas. */
  perWorkspace: number;
  /** Whether runs are executed; when false, only runs that are being cancelled are claimed, and the others wait. */
  executing: boolean;
  timing: WorkerTiming;
}

/** Starts to claim and execute runs that are due. */
export function startWorkers({ owner, workers, perWorkspace, executing, timing, ...deps }: WorkersOptions): LeasedWorkers<LeasedRun> {
  const { store, log } = deps;
  return new LeasedWorkers<LeasedRun>({
    ...{ name: 'runs', workers, log, ...timing },
    claim: (limit, leaseMs) => claimRuns(store, { limit, owner, leaseMs, perWorkspace, executing }),
    nextDueMs: () => nextDueMs(store.database, executing),
    backlog: () => countBacklog(store.database, executing),
    renew: (held, leaseMs) => renewLeases(store, held, leaseMs),
    work: (run, control) => executeRun(deps, run, control),
  });
}
