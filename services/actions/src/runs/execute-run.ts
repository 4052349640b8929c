import { LeaseLostError } from '@parley/kit/leases/lease';
import { type WorkControl } from '@parley/kit/leases/leased-workers';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { hasEnded } from '../domain/run.ts';
import { type LeasedRun } from '../store/leases.ts';
import { readRunLog } from '../store/read-runs.ts';
import { RunExecutor } from './run-executor.ts';
import { RunProgress } from './run-progress.ts';
import { type WorkDeps } from './work-deps.ts';

/**
 * Executes a leased run until it ends, waits or is released. Never throws. Creates one span in the trace of the request that created the
 * run.
 */
export async function executeRun(deps: WorkDeps, run: LeasedRun, control: WorkControl): Promise<void> {
  const { id, slug, version, generation, requestId } = run;
  const attributes = {
    ...{ 'parley.run.id': id, 'parley.action.slug': slug, 'parley.action.version': version, 'parley.run.attempt': generation },
    ...(requestId !== '' && { 'parley.request.id': requestId }),
  };
  const span = startSpan('action.run', { parent: run.traceparent, attributes });
  span.end(await advance(deps, run, control, span.traceparent));
}

/** Returns the error condition of a failure; undefined without one. */
async function advance(deps: WorkDeps, run: LeasedRun, control: WorkControl, traceparent: string): Promise<string | undefined> {
  const { store, catalog, log } = deps;
  const { id: runId, slug, version, generation, requestId } = run;
  const about = { runId, slug, version, generation, ...(requestId !== '' && { requestId }) };
  try {
    const published = await catalog.findVersion(run.slug, run.version);
    if (!published) throw new GatewayError('INTERNAL_ERROR', `version ${run.version} of ${run.slug} is not there`);
    const progress = new RunProgress(run.input, await readRunLog(store.database, run.id));
    const after = await new RunExecutor(deps, run, published.workflow, progress, { ...control, traceparent }).executeSteps();
    const { status, verdict, errorCondition: condition } = after;
    if (hasEnded(status)) log.info({ ...about, status, verdict, condition }, 'run ended');
    return condition ?? undefined;
  } catch (err) {
    if (err instanceof LeaseLostError) {
      log.info(about, 'run cancelled, or left to another worker');
      return undefined;
    }
    log.warn({ err: toGatewayError(err).cause ?? err, ...about }, 'run left as it is until its lease is over');
    return toGatewayError(err).condition;
  }
}
