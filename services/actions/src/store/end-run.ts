import { type Lease } from '@parley/kit/leases/lease';
import { type GatewayError } from '@parley/protos/errors';
import type { PoolClient } from 'pg';
import { type JsonObject } from '../domain/json.ts';
import { toErrorData, type NewRunEvent, createRunEvent } from '../domain/run-event.ts';
import { type RunStatus, type Verdict } from '../domain/run.ts';
import { type RunChange, changeRun } from './change-run.ts';
import { type LeasedRun, LEASED_COLUMNS, lockRun } from './leases.ts';
import { type Store } from './store.ts';

/** The final state of a run. */
export interface RunEnd {
  status: RunStatus;
  verdict: Verdict;
  /** Text of a JSON object; empty for none. */
  output: string;
  error: GatewayError | undefined;
  /** Events before `run.ended`. */
  events: readonly NewRunEvent[];
}

const END = `
UPDATE runs SET status = $2, verdict = $3, output = $4, error_condition = $5, error_message = $6, next_step = NULL, lease_owner = NULL,
  lease_until = NULL, next_attempt_at = NULL, ended_at = now(), updated_at = now()
WHERE id = $1 RETURNING ${LEASED_COLUMNS}`;

const BREAK_OFF = `
UPDATE run_steps SET status = 'failed', error_condition = $2, error_message = $3, ended_at = now() WHERE run_id = $1 AND status = 'started'`;

/**
 * Ends a run between two steps. A run that is being cancelled can only end as cancelled; otherwise it is returned unchanged.
 * @throws LeaseLostError
 */
export async function endRun(store: Store, lease: Lease, end: RunEnd): Promise<LeasedRun> {
  const run = await changeRun(store, async (client) => {
    const held = await lockRun(client, lease);
    return held.status === 'cancelling' && end.status !== 'cancelled' ? { run: held, events: [] } : endLeasedRun(client, held, end);
  });
  return run as LeasedRun;
}

/** Ends a run that this transaction has locked; an interrupted step stays unfinished. */
export async function endLeasedRun(client: PoolClient, run: LeasedRun, end: RunEnd): Promise<RunChange<LeasedRun>> {
  const { status, verdict, output, error, events } = end;
  const failure = [error?.condition ?? null, error?.message ?? null];
  const { rows } = await client.query<LeasedRun>(END, [run.id, status, verdict, output, ...failure]);
  await client.query(BREAK_OFF, [run.id, ...failure]);
  const data: JsonObject = { status, ...(verdict && { verdict }), ...(error && { error: toErrorData(error) }) };
  return { run: rows[0] ?? run, events: [...events, createRunEvent('run.ended', data)] };
}
