import { type z } from 'zod';
import { type actionRun, toActionRun } from '../../../wire/action-run.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type runParams } from '../fields.ts';

/** Returns a run with its current status and its output. */
export async function getActionRun(
  { principal, params }: Input<z.output<typeof runParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionRun>>> {
  return { body: toActionRun(await clients.actions.getRun({ slug: params.slug, id: params.run_id }, { caller: principal })) };
}
