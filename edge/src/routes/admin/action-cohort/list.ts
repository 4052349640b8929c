import { type z } from 'zod';
import { type actionCohort } from '../../../wire/action-document.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';

/** Returns the ids of the workspaces that take part in the beta of actions. */
export async function listActionCohort({ principal }: Input, { clients }: RouteDeps): Promise<Reply<z.input<typeof actionCohort>>> {
  const { workspaceIds } = await clients.actions.listCohort({}, { caller: principal });
  return { body: { workspace_ids: workspaceIds } };
}
