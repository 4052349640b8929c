import { type Call } from '@parley/kit/rpc/call';
import { type ListRunsRequest, type ListRunsResponse } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { RUN_STATUSES, type RunStatus } from '../domain/run.ts';
import { listRuns as list } from '../store/read-runs.ts';
import { toRuns } from './run-view.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Returns a page of the workspace's runs of an action, newest first; also of an action that is disabled or removed. @throws VALIDATION_ERROR */
export async function listRuns({ store: { database } }: Deps, request: ListRunsRequest, { caller }: Call): Promise<ListRunsResponse> {
  const { slug, status, limit, offset } = request;
  if (status !== '' && !RUN_STATUSES.includes(status as RunStatus)) {
    throw new GatewayError('VALIDATION_ERROR', `status must be one of ${RUN_STATUSES.join(', ')}`, { param: 'status' });
  }
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  const where = { workspaceId: requireWorkspaceId(caller), slug, status };
  const { runs, total } = await list(database, where, { limit: limit || DEFAULT_LIMIT, offset });
  return { runs: await toRuns(database, runs), total };
}
