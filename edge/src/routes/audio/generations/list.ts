import { z } from 'zod';
import { type audioJob, JOB_STATUSES, toAudioJob } from '../../../wire/audio-job.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query parameters of the list of speech jobs. */
export const audioJobsQuery = z.object({
  status: z.enum(JOB_STATUSES).optional().meta({ description: 'Only jobs with this status.' }),
  ...paging,
});

/** Returns a page of the speech jobs of the workspace, newest first. */
export async function listAudioJobs(
  { principal, query }: Input<undefined, z.output<typeof audioJobsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof audioJob>[]>> {
  const { status, limit, offset } = query;
  const { jobs, total } = await clients.audio.listJobs({ status: status ?? '', limit, offset }, { caller: principal });
  const link = getLinkWriter(principal);
  return { body: jobs.map((job) => toAudioJob(job, link)), headers: pageHeaders('/v1/audio/generations', { status }, query, total, link) };
}
