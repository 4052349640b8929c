import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { GatewayError } from '@parley/protos/errors';
import { type StoredJob } from './job.ts';

/** Returns the id of the caller's workspace. @throws AUDIO_JOB_NOT_FOUND for a caller without one */
export function requireWorkspaceId({ workspaceId }: Caller): string {
  if (!isUuid(workspaceId)) throw new GatewayError('AUDIO_JOB_NOT_FOUND', 'speech jobs belong to workspaces, and the caller is of none');
  return workspaceId;
}

/** Returns the job if it exists and belongs to the caller's workspace. @throws AUDIO_JOB_NOT_FOUND */
export function requireAccessibleJob<T extends Pick<StoredJob, 'workspaceId'>>(job: T | undefined, caller: Caller): T {
  if (job?.workspaceId !== requireWorkspaceId(caller)) throw new GatewayError('AUDIO_JOB_NOT_FOUND', 'the speech job does not exist');
  return job;
}
