import { transaction } from '@parley/kit/db/pool';
import { counter } from '@parley/kit/telemetry/meter';
import { type PoolClient } from 'pg';
import { type NewRunEvent, type OutboxEvent, type RunEventType, toOutboxEvent } from '../domain/run-event.ts';
import { type StoredRun } from '../domain/run.ts';
import { type Store } from './store.ts';

/** A run after a change, and its events. */
export interface RunChange<R extends StoredRun = StoredRun> {
  run: R;
  events: readonly NewRunEvent[];
}

const APPEND = `
WITH counted AS (UPDATE runs SET sequence = sequence + $2::int WHERE id = $1 RETURNING sequence - $2::int AS before)
INSERT INTO run_events (run_id, sequence, type, step_id, data)
SELECT $1, counted.before + event.place, event.type, event.step_id, event.data
FROM counted, unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS event (type, step_id, data, place)`;

/** Events that are also published to other services. */
const DURABLE: readonly RunEventType[] = ['run.accepted', 'run.ended'];

const RUNS = counter('parley_runs_total');

/**
 * Changes a run in one transaction with its events, notifies others after the commit, and counts it when it has ended. `work` returns
 * undefined when nothing has changed.
 */
export async function changeRun<R extends StoredRun>(
  { database, notifyChanged }: Store,
  work: (client: PoolClient) => Promise<RunChange<R> | undefined>,
): Promise<R | undefined> {
  const move = await transaction(database.pool, async (client) => {
    const made = await work(client);
    return made && made.events.length > 0 ? { ...made, run: await append(client, made) } : made;
  });
  if (move && move.events.length > 0) notifyChanged(move.run);
  if (move?.events.some(({ type }) => type === 'run.ended')) RUNS.add({ status: move.run.status });
  return move?.run;
}

/** Stores the events of a change. The change locks the row until the commit, so numbers have no gaps and follow the order of commits. */
async function append<R extends StoredRun>(client: PoolClient, { run, events }: RunChange<R>): Promise<R> {
  await client.query(APPEND, [
    ...[run.id, events.length],
    ...[events.map(({ type }) => type), events.map(({ stepId }) => stepId), events.map(({ data }) => JSON.stringify(data))],
  ]);
  const changed = { ...run, sequence: run.sequence + events.length };
  if (events.some(({ type }) => DURABLE.includes(type))) await insertOutboxEvent(client, toOutboxEvent(changed));
  return changed;
}

/** Inserts an event into the outbox. */
async function insertOutboxEvent(client: PoolClient, { id, subject, payload }: OutboxEvent): Promise<void> {
  await client.query('INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)', [id, subject, Buffer.from(payload)]);
}
