import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type FlowRow, deleteExpiredFlows } from '../store/connect-flows.ts';
import { type FlowDeps, abandonSignIn, decryptFlow } from './connect-flow-state.ts';

const BATCH = 50;

/** Deletes expired connect flows every `everyMs` milliseconds, each by one replica, and closes their sign-ins at the upstreams. */
export function startFlowSweep(deps: FlowDeps, everyMs: number): RecurringTask {
  const sweep = async (signal: AbortSignal) => {
    const removed = await runInBatches(BATCH, (size) => removeExpired(deps, size), signal);
    if (removed > 0) deps.log.info({ removed }, 'connect flows whose time was over are removed');
  };
  const failed = (err: unknown) => deps.log.warn({ err }, 'expired connect flows were not removed; trying again later');
  return startRecurringTask(sweep, { everyMs, failed });
}

async function removeExpired(deps: FlowDeps, size: number): Promise<number> {
  const rows = await deleteExpiredFlows(deps.store.database, size);
  await Promise.all(rows.filter(({ state }) => state !== null).map((row) => leave(deps, row)));
  return rows.length;
}

/** Abandons a flow at its upstream. Never rejects: a flow that cannot be read expires there by itself. */
async function leave(deps: FlowDeps, row: FlowRow): Promise<void> {
  try {
    const open = decryptFlow(deps, row);
    await abandonSignIn(deps, open, open.state, '');
  } catch {
    // decryptFlow has logged it.
  }
}
