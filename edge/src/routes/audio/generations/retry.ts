import { type z } from 'zod';
import { type audioJob, toAudioJob } from '../../../wire/audio-job.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type jobParams } from '../fields.ts';

/** Queues a new job with the parameters of a failed one, which stays failed. */
export async function retryAudioJob(
  { principal, params }: Input<z.output<typeof jobParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof audioJob>>> {
  return { body: toAudioJob(await clients.audio.retryJob({ id: params.job_id }, { caller: principal }), getLinkWriter(principal)) };
}
