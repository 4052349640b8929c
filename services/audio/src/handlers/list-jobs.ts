import { type Call } from '@parley/kit/rpc/call';
import { type ListJobsRequest, type ListJobsResponse } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { JOB_STATUSES } from '../domain/job.ts';
import { listJobs as list } from '../store/read-jobs.ts';
import { toJob } from './job-view.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Returns a page of the workspace's speech jobs, newest first. @throws VALIDATION_ERROR */
export async function listJobs({ store }: Deps, request: ListJobsRequest, { caller }: Call): Promise<ListJobsResponse> {
  const { status, limit, offset } = request;
  if (status !== '' && !JOB_STATUSES.includes(status)) {
    throw new GatewayError('VALIDATION_ERROR', `status must be one of ${JOB_STATUSES.join(', ')}`, { param: 'status' });
  }
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  const where = { workspaceId: requireWorkspaceId(caller), status };
  const { jobs, total } = await list(store.database, where, { limit: limit || DEFAULT_LIMIT, offset });
  return { jobs: jobs.map(toJob), total };
}
