import { LeasedWorkers, type WorkerTiming } from '@parley/kit/leases/leased-workers';
import { type LeasedJob, claimJobs, countBacklog, nextDueMs, renewLeases } from '../store/leases.ts';
import { type Store } from '../store/store.ts';
import { type WorkDeps, executeJob } from './execute-job.ts';

/** Options of the workers of jobs. */
export interface WorkersOptions extends WorkDeps {
  /** Name of this process, stored in leases. */
  owner: string;
  /** Maximum number of concurrent jobs in this process. */
  workers: number;
  /** Maximum number of concurrent jobs of one workspace, over all replicas. */
  perWorkspace: number;
  timing: WorkerTiming;
}

/** Starts to claim and execute queued speech jobs; the worker of a cancelled job stops by notice, or when its lease is not renewed. */
export function startWorkers({ owner, workers, perWorkspace, timing, ...deps }: WorkersOptions): LeasedWorkers<LeasedJob> {
  const { store, log } = deps;
  const announced = new WeakMap<LeasedJob, number>();
  const providers = deps.providers.all.map(({ name }) => name);
  return new LeasedWorkers<LeasedJob>({
    ...{ name: 'speech jobs', workers, log, ...timing },
    claim: (limit, leaseMs) => claimJobs(store, { limit, owner, leaseMs, perWorkspace, providers }),
    nextDueMs: () => nextDueMs(store.database, providers),
    backlog: () => countBacklog(store.database, providers),
    renew: (held, leaseMs) => renewAndTell(store, held, leaseMs, announced),
    work: (job, { signal }) => executeJob(deps, job, signal, (done) => (job.progress = Math.min(99, Math.floor(done * 100)))),
  });
}

/** Renews leases, which stores the progress of the jobs, and sends notices of jobs whose progress has changed since it was `announced`. */
async function renewAndTell(
  store: Store,
  held: readonly LeasedJob[],
  leaseMs: number,
  announced: WeakMap<LeasedJob, number>,
): Promise<ReadonlySet<string>> {
  // The work continues in the meantime: a notice contains the progress that was stored.
  const kept = held.map((job) => ({ job, progress: job.progress }));
  const confirmed = await renewLeases(store, held, leaseMs);
  const further = kept.filter(({ job, progress }) => confirmed.has(job.id) && progress !== (announced.get(job) ?? 0));
  for (const { job, progress } of further) announced.set(job, progress);
  if (further.length > 0) store.notifyChanged(further.map(({ job, progress }) => ({ ...job, progress })));
  return confirmed;
}
