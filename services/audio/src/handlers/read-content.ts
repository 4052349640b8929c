import { type Call } from '@parley/kit/rpc/call';
import { type JobRequest, type ReadContentResponse } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleJob } from '../domain/access.ts';
import { requireFinishedAudio } from '../http/require-downloadable.ts';
import { findJob } from '../store/read-jobs.ts';

/**
 * Streams the audio of a speech job to another service, with its checksum.
 * @throws AUDIO_JOB_NOT_FOUND, AUDIO_NOT_READY, AUDIO_EXPIRED, SERVICE_UNAVAILABLE when the blob store cannot be read
 */
export async function* readContent(
  { store, blobs, log }: Pick<Deps, 'store' | 'blobs' | 'log'>,
  { id }: JobRequest,
  call: Call,
): AsyncGenerator<ReadContentResponse> {
  const { key, ...file } = requireFinishedAudio(requireAccessibleJob(await findJob(store.database, id), call.caller));
  // A caller that stops after the head has opened no blob.
  yield { frame: { $case: 'head', value: file } };
  try {
    for await (const value of await blobs.getRange(key)) yield { frame: { $case: 'chunk', value: value as Buffer } };
  } catch (cause) {
    if (call.abortReason) throw call.abortReason;
    log.error({ err: cause, jobId: id, requestId: call.caller.requestId }, 'the audio of a job could not be read');
    throw new GatewayError('SERVICE_UNAVAILABLE', 'the audio cannot be read at the moment', { cause });
  }
}
