import { type Call } from '@parley/kit/rpc/call';
import { type Job, type JobRequest } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';
import { requireAccessibleJob } from '../domain/access.ts';
import { findJob } from '../store/read-jobs.ts';
import { toJob } from './job-view.ts';

/** Returns a speech job. @throws AUDIO_JOB_NOT_FOUND */
export async function getJob({ store }: Deps, { id }: JobRequest, { caller }: Call): Promise<Job> {
  return toJob(requireAccessibleJob(await findJob(store.database, id), caller));
}
