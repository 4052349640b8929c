import { transaction } from '@parley/kit/db/pool';
import type { PoolClient } from 'pg';
import { jobChangedEvent } from '../domain/job-event.ts';
import { type StoredJob } from '../domain/job.ts';
import { insertOutboxEvents } from './outbox.ts';
import { type Store } from './store.ts';

/**
 * Changes jobs in one transaction with their events, and announces them afterwards. `work` returns the changed jobs, as they
 * are then.
 */
export async function changeJobs<T extends StoredJob>(
  { database, announce }: Store,
  work: (client: PoolClient) => Promise<T[]>,
): Promise<T[]> {
  const moved = await transaction(database.pool, async (client) => {
    const jobs = await work(client);
    const events = jobs.flatMap(jobChangedEvent);
    if (events.length > 0) await insertOutboxEvents(client, events);
    return jobs;
  });
  if (moved.length > 0) announce(moved);
  return moved;
}
