import { type z } from 'zod';
import { type audioJob, toAudioJob } from '../../../wire/audio-job.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type jobParams } from '../fields.ts';

/** Cancels a job that has not ended, with its engine; returns its new state. */
export async function cancelAudioJob(
  { principal, params }: Input<z.output<typeof jobParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof audioJob>>> {
  return { body: toAudioJob(await clients.audio.cancelJob({ id: params.job_id }, { caller: principal }), getLinkWriter(principal)) };
}
