import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { type Job, type JobRequest } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleJob } from '../domain/access.ts';
import { createJob } from '../store/create-job.ts';
import { findJob, getJobInput } from '../store/read-jobs.ts';
import { toJob } from './job-view.ts';

/** Queues a new speech job with the input of a failed one, which stays failed. @throws AUDIO_JOB_NOT_FOUND, VALIDATION_ERROR, AUDIO_QUOTA_EXCEEDED */
export async function retryJob({ store, providers, limits }: Deps, { id }: JobRequest, call: Call): Promise<Job> {
  const { caller } = call;
  const failed = requireAccessibleJob(await findJob(store.database, id), caller);
  if (failed.status !== 'failed')
    throw new GatewayError('VALIDATION_ERROR', `only a failed speech job can be retried; this one is ${failed.status}`);
  const input = await getJobInput(store.database, failed.id);
  if (input === '') throw new GatewayError('VALIDATION_ERROR', 'the speech job is too old to be retried: its text is gone');
  providers.getProvider(failed.provider);
  const { workspaceId, provider, voice, model, language, responseFormat, providerOptions, inputCharacters } = failed;
  const like = { workspaceId, provider, voice, model, language, responseFormat, providerOptions, inputCharacters, input };
  const own = { id: uuidv7(), keyId: caller.keyId, idempotencyKey: '', requestDigest: Buffer.alloc(0), retryOf: failed.id };
  return toJob(await createJob(store, { ...like, ...own, ...toWorkOrigin(call) }, limits));
}
