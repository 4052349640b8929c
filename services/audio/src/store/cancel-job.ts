import { type StoredJob } from '../domain/job.ts';
import { changeJobs } from './change-jobs.ts';
import { JOB_COLUMNS } from './job-row.ts';
import { refundCharacters } from './quota.ts';
import { type Store } from './store.ts';

const CANCEL = `
WITH live AS (SELECT id, generation AS had FROM speech_jobs WHERE id = $1 AND status IN ('queued', 'processing') FOR UPDATE)
UPDATE speech_jobs SET status = 'cancelled', generation = generation + 1, lease_owner = NULL, lease_until = NULL, next_attempt_at = NULL, updated_at = now()
FROM live WHERE speech_jobs.id = live.id
RETURNING ${JOB_COLUMNS}, live.had`;

/** Cancels a job; undefined when it has ended or does not exist. A job that had not started is refunded. */
export async function cancelJob(store: Store, id: string): Promise<StoredJob | undefined> {
  const [job] = await changeJobs(store, async (client) => {
    const { rows } = await client.query<StoredJob & { had: number }>(CANCEL, [id]);
    for (const one of rows) if (one.had === 0) await refundCharacters(client, one);
    return rows;
  });
  return job;
}
