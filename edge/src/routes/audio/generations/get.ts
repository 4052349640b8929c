import { type z } from 'zod';
import { type audioJob, toAudioJob } from '../../../wire/audio-job.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type jobParams } from '../fields.ts';

/** Returns a speech job with its current status. */
export async function getAudioJob(
  { principal, params }: Input<z.output<typeof jobParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof audioJob>>> {
  return { body: toAudioJob(await clients.audio.getJob({ id: params.job_id }, { caller: principal }), getLinkWriter(principal)) };
}
