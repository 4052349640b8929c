import { type Call } from '@parley/kit/rpc/call';
import { type Run, type RunRequest } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleRun } from '../domain/access.ts';
import { cancelRun as cancel } from '../store/cancel-run.ts';
import { findRun } from '../store/read-runs.ts';
import { toRun } from './run-view.ts';

/** Cancels a run that has not started, and requests a run in progress to stop. @throws ACTION_RUN_NOT_FOUND, ACTION_RUN_NOT_CANCELLABLE */
export async function cancelRun({ store }: Deps, { slug, id }: RunRequest, { caller }: Call): Promise<Run> {
  const run = requireAccessibleRun(await findRun(store.database, id), slug, caller);
  const cancelled = await cancel(store, run.id);
  if (!cancelled) throw new GatewayError('ACTION_RUN_NOT_CANCELLABLE', 'the run has ended');
  return toRun(store.database, cancelled);
}
