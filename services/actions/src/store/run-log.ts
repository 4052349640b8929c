import { type Lease } from '@parley/kit/leases/lease';
import type { PoolClient } from 'pg';
import { type NewRunEvent, createRunEvent } from '../domain/run-event.ts';
import { type RunLogEntry, type RunPosition, type StepOutcome } from '../domain/run.ts';
import { type Step } from '../domain/workflow.ts';
import { type RunChange, changeRun } from './change-run.ts';
import { type RunEnd, endLeasedRun } from './end-run.ts';
import { type LeasedRun, LEASED_COLUMNS, lockRun, releaseSql } from './leases.ts';
import { RUN_LOG_COLUMNS } from './run-row.ts';
import { type Store } from './store.ts';

// Every change here is idempotent, because the outcome of a commit may be unknown: a repetition changes nothing and writes no event.

/** Starts an accepted run; its deadline counts from now. @throws LeaseLostError */
export async function beginRun(store: Store, lease: Lease, firstStep: string, timeoutMs: number): Promise<LeasedRun> {
  return moved(store, lease, async (client, run) => {
    if (run.status !== 'accepted') return { run, events: [] };
    const begun = await update(
      client,
      run,
      `status = 'running', started_at = now(), deadline_at = now() + $3 * interval '1 ms', next_step = $2`,
      [firstStep, timeoutMs],
    );
    return { run: begun, events: [createRunEvent('run.started', { version: run.version })] };
  });
}

/** A new execution of a step. */
export interface NewExecution {
  ordinal: number;
  attempt: number;
  /** An interrupted execution of the same step. */
  interruptedExecution: RunLogEntry | undefined;
}

const BREAK_OFF = `
UPDATE run_steps SET status = 'failed', error_condition = 'INTERNAL_ERROR', error_message = 'its worker was interrupted', ended_at = now()
WHERE run_id = $1 AND ordinal = $2 AND status = 'started'`;

const BEGIN = `
INSERT INTO run_steps (run_id, ordinal, step_id, attempt, risk, status, effect) VALUES ($1, $2, $3, $4, $5, 'started', $6) RETURNING ${RUN_LOG_COLUMNS}`;

/**
 * Records an execution before the step is executed; until it is finished its effect is unknown. Records nothing when the run is being
 * cancelled.
 * @throws LeaseLostError
 */
export async function startStep(
  store: Store,
  lease: Lease,
  step: Step,
  { ordinal, attempt, interruptedExecution }: NewExecution,
): Promise<LeasedRun> {
  return moved(store, lease, async (client, run) => {
    if (run.status === 'cancelling' || run.executions >= ordinal) return { run, events: [] };
    const begun = await update(client, run, 'executions = $2', [ordinal]);
    await client.query(BEGIN, [run.id, ordinal, step.id, attempt, step.risk, step.risk === 'read' ? 'none' : 'unknown']);
    const started: NewRunEvent = { type: 'step.started', stepId: step.id, data: { attempt, risk: step.risk } };
    if (!interruptedExecution) return { run: begun, events: [started] };
    await client.query(BREAK_OFF, [run.id, interruptedExecution.ordinal]);
    const retrying: NewRunEvent = { type: 'step.retrying', stepId: step.id, data: { attempt, reason: 'interrupted', wait_ms: 0 } };
    return { run: begun, events: [retrying, started] };
  });
}

/** The result of a step, and the next position of the run. */
export interface StepEnd {
  ordinal: number;
  outcome: StepOutcome;
  events: readonly NewRunEvent[];
  /** Position of the run after the step. */
  position: Pick<RunPosition, 'nextStep' | 'retries'>;
  /** How long the run is released before the next step, in milliseconds; 0: it is not released. */
  waitMs: number;
  /** The end of the run, if the step ends it. */
  end: RunEnd | undefined;
}

const FINISH = `
UPDATE run_steps SET status = $3, effect = $4, status_code = $5, outputs = $6, error_condition = $7, error_message = $8, ended_at = now()
WHERE run_id = $1 AND ordinal = $2 AND status = 'started'`;

/**
 * Records the outcome of a step and advances or ends the run, in one transaction. A step does not end a run that is being cancelled.
 * @throws LeaseLostError
 */
export async function finishStep(store: Store, lease: Lease, stepEnd: StepEnd): Promise<LeasedRun> {
  const { ordinal, outcome, events, position, waitMs, end } = stepEnd;
  return moved(store, lease, async (client, run) => {
    const { status, effect, statusCode, outputs, error } = outcome;
    const { rowCount } = await client.query(FINISH, [
      ...[run.id, ordinal, status, effect, statusCode, outputs, error?.condition ?? null, error?.message ?? null],
    ]);
    if (rowCount === 0) return { run, events: [] };
    if (end && run.status === 'running') {
      const ended = await endLeasedRun(client, run, end);
      return { run: ended.run, events: [...events, ...ended.events] };
    }
    const changes = `next_step = $2, retries = $3, crashes = 0${waitMs > 0 ? `, ${releaseSql('$4')}` : ''}`;
    const on = await update(client, run, changes, [position.nextStep, position.retries, ...(waitMs > 0 ? [waitMs] : [])]);
    return { run: on, events };
  });
}

async function moved(
  store: Store,
  lease: Lease,
  work: (client: PoolClient, run: LeasedRun) => Promise<RunChange<LeasedRun>>,
): Promise<LeasedRun> {
  const run = await changeRun(store, async (client) => work(client, await lockRun(client, lease)));
  return run as LeasedRun;
}

async function update(client: PoolClient, run: LeasedRun, changes: string, values: readonly unknown[]): Promise<LeasedRun> {
  const { rows } = await client.query<LeasedRun>(
    `UPDATE runs SET ${changes}, updated_at = now() WHERE id = $1 RETURNING ${LEASED_COLUMNS}`,
    [run.id, ...values],
  );
  return rows[0] ?? run;
}
