import { type z } from 'zod';
import { type actionRun, toActionRun } from '../../../wire/action-run.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type runParams } from '../fields.ts';

/** Cancels a run and returns it; its changes in other systems are not undone, and are listed in it. */
export async function cancelActionRun(
  { principal, params }: Input<z.output<typeof runParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionRun>>> {
  return { body: toActionRun(await clients.actions.cancelRun({ slug: params.slug, id: params.run_id }, { caller: principal })) };
}
