import { LeasedWorkers, type WorkerTiming } from '@parley/kit/leases/leased-workers';
import { type LeasedAsset, claimAssets, countBacklog, nextDueMs, renewLeases } from '../store/leases.ts';
import { type IngestDeps, ingestAsset } from './ingest-asset.ts';

/** Options of the workers of assets. */
export interface WorkersOptions extends IngestDeps {
  /** Name of this process, stored in leases. */
  owner: string;
  /** Maximum number of concurrent assets in this process. */
  workers: number;
  timing: WorkerTiming;
}

/** Starts to claim and fetch waiting assets. */
export function startWorkers({ owner, workers, timing, ...deps }: WorkersOptions): LeasedWorkers<LeasedAsset> {
  const { store, log } = deps;
  return new LeasedWorkers<LeasedAsset>({
    ...{ name: 'assets', workers, log, ...timing },
    claim: (limit, leaseMs) => claimAssets(store, limit, owner, leaseMs),
    nextDueMs: () => nextDueMs(store.database),
    backlog: () => countBacklog(store.database),
    renew: (held, leaseMs) => renewLeases(store, held, leaseMs),
    work: (asset, { signal }) => ingestAsset(deps, asset, signal),
  });
}
