import { type Call } from '@parley/kit/rpc/call';
import { type Content, type JobRequest } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';
import { requireAccessibleJob } from '../domain/access.ts';
import { requireFinishedAudio } from '../http/require-downloadable.ts';
import { findJob } from '../store/read-jobs.ts';

/** Returns a signed URL of the audio that is valid for 30 seconds. @throws AUDIO_JOB_NOT_FOUND, AUDIO_NOT_READY, AUDIO_EXPIRED */
export async function openContent({ store, signer, httpUrl }: Deps, { id }: JobRequest, { caller }: Call): Promise<Content> {
  const job = requireAccessibleJob(await findJob(store.database, id), caller);
  requireFinishedAudio(job);
  return { path: `/speech/${job.id}?ticket=${signer.sign(job.id, Date.now())}`, baseUrl: httpUrl };
}
