import { LeaseLost } from '@parley/kit/leases/lease';
import { type WorkControl } from '@parley/kit/leases/leased-workers';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { hasEnded } from '../domain/run.ts';
import { type LeasedRun } from '../store/leases.ts';
import { readRunLog } from '../store/read-runs.ts';
import { Progress } from './progress.ts';
import { RunWork } from './run-work.ts';
import { type WorkDeps } from './work-deps.ts';

/** Takes one leased run as far as it goes: to its end, to a wait, or to where it is given back. Never throws. */
export async function workOnRun(deps: WorkDeps, run: LeasedRun, control: WorkControl): Promise<void> {
  const { store, catalog, log } = deps;
  const about = { runId: run.id, slug: run.slug, version: run.version, generation: run.generation };
  try {
    const published = await catalog.version(run.slug, run.version);
    if (!published) throw new GatewayError('INTERNAL_ERROR', `version ${run.version} of ${run.slug} is not there`);
    const progress = new Progress(run.input, await readRunLog(store.database, run.id));
    const after = await new RunWork(deps, run, published.workflow, progress, control).advance();
    if (hasEnded(after.status))
      log.info({ ...about, status: after.status, verdict: after.verdict, condition: after.errorCondition }, 'run ended');
  } catch (err) {
    if (err instanceof LeaseLost) log.info(about, 'run cancelled, or left to another worker');
    else log.warn({ err: toGatewayError(err).cause ?? err, ...about }, 'run left as it is until its lease is over');
  }
}
