import { type Call } from '@parley/kit/rpc/call';
import { type Run, type RunRequest } from '@parley/protos/actions/v1/actions';
import { type Deps } from '../deps.ts';
import { requireAccessibleRun } from '../domain/access.ts';
import { findRun } from '../store/read-runs.ts';
import { toRun } from './run-view.ts';

/** Returns a run. @throws ACTION_RUN_NOT_FOUND */
export async function getRun({ store: { database } }: Deps, { slug, id }: RunRequest, { caller }: Call): Promise<Run> {
  return toRun(database, requireAccessibleRun(await findRun(database, id), slug, caller));
}
