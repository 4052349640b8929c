import { createRunEvent } from '../domain/run-event.ts';
import { type StoredRun, hasEnded } from '../domain/run.ts';
import { type RunChange, changeRun } from './change-run.ts';
import { RUN_COLUMNS } from './run-row.ts';
import { type Store } from './store.ts';

const LOCK = `SELECT ${RUN_COLUMNS} FROM runs WHERE id = $1 FOR UPDATE`;

/** Ends a run that has not started; a worker that has just claimed it loses its lease. */
const END = `
UPDATE runs SET status = 'cancelled', generation = generation + 1, lease_owner = NULL, lease_until = NULL, next_attempt_at = NULL, ended_at = now(),
  updated_at = now() WHERE id = $1 RETURNING ${RUN_COLUMNS}`;

/** Requests a run to stop: its worker notices it between two steps; a waiting run becomes due now. */
const ASK = `
UPDATE runs SET status = 'cancelling', next_attempt_at = CASE WHEN lease_until IS NULL THEN now() ELSE next_attempt_at END, updated_at = now()
WHERE id = $1 RETURNING ${RUN_COLUMNS}`;

/**
 * Cancels a run that has not started, and requests a run in progress to stop; idempotent. Undefined when the run has ended or does not
 * exist.
 */
export async function cancelRun(store: Store, id: string): Promise<StoredRun | undefined> {
  return changeRun(store, async (client): Promise<RunChange | undefined> => {
    const [run] = (await client.query<StoredRun>(LOCK, [id])).rows;
    if (!run || hasEnded(run.status)) return undefined;
    if (run.status === 'cancelling') return { run, events: [] };
    const accepted = run.status === 'accepted';
    const [moved] = (await client.query<StoredRun>(accepted ? END : ASK, [id])).rows;
    const event = accepted ? createRunEvent('run.ended', { status: 'cancelled' }) : createRunEvent('run.cancelling');
    return moved && { run: moved, events: [event] };
  });
}
