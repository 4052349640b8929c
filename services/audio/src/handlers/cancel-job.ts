import { type Call } from '@parley/kit/rpc/call';
import { type Job, type JobRequest } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleJob } from '../domain/access.ts';
import { cancelJob as cancel } from '../store/cancel-job.ts';
import { findJob } from '../store/read-jobs.ts';
import { toJob } from './job-view.ts';

/** Cancels a queued or processing speech job; its engine stops. @throws AUDIO_JOB_NOT_FOUND, AUDIO_JOB_NOT_CANCELLABLE */
export async function cancelJob({ store }: Deps, { id }: JobRequest, { caller }: Call): Promise<Job> {
  const job = requireAccessibleJob(await findJob(store.database, id), caller);
  const cancelled = await cancel(store, job.id);
  if (!cancelled) throw new GatewayError('AUDIO_JOB_NOT_CANCELLABLE', 'the speech job has ended');
  return toJob(cancelled);
}
