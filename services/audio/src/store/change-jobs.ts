import { transaction } from '@parley/kit/db/pool';
import { counter, histogram } from '@parley/kit/telemetry/meter';
import type { PoolClient } from 'pg';
import { toOutboxEvents } from '../domain/job-event.ts';
import { type StoredJob } from '../domain/job.ts';
import { insertOutboxEvents } from './outbox.ts';
import { type Store } from './store.ts';

const JOBS = counter('parley_speech_jobs_total');
const JOB_SECONDS = histogram('parley_speech_seconds');

/**
 * Changes jobs in one transaction with their events, notifies others after the commit, and counts jobs that have ended. `work` returns the
 * changed jobs in their new state.
 */
export async function changeJobs<T extends StoredJob>(
  { database, notifyChanged }: Store,
  work: (client: PoolClient) => Promise<T[]>,
): Promise<T[]> {
  const moved = await transaction(database.pool, async (client) => {
    const jobs = await work(client);
    const events = jobs.flatMap(toOutboxEvents);
    if (events.length > 0) await insertOutboxEvents(client, events);
    return jobs;
  });
  if (moved.length > 0) notifyChanged(moved);
  for (const job of moved) countEnded(job);
  return moved;
}

function countEnded({ provider, status, workMs }: StoredJob): void {
  if (status === 'queued' || status === 'processing') return;
  JOBS.add({ provider, status });
  if (status === 'completed') JOB_SECONDS.record({ provider }, workMs / 1_000);
}
