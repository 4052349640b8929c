import { z } from 'zod';
import { type actionRun, RUN_STATUSES, toActionRun } from '../../../wire/action-run.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type actionParams } from '../fields.ts';

/** Query parameters of the list of runs. */
export const runsQuery = z.object({
  status: z.enum(RUN_STATUSES).optional().meta({ description: 'Only runs with this status.' }),
  ...paging,
});

/** Returns a page of the runs of an action in the workspace, newest first. */
export async function listActionRuns(
  { principal, params, query }: Input<z.output<typeof actionParams>, z.output<typeof runsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionRun>[]>> {
  const { slug } = params;
  const { status, limit, offset } = query;
  const { runs, total } = await clients.actions.listRuns({ slug, status: status ?? '', limit, offset }, { caller: principal });
  return {
    body: runs.map(toActionRun),
    headers: pageHeaders(`/v1/actions/${slug}/runs`, { status }, query, total, getLinkWriter(principal)),
  };
}
