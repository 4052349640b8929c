import { type z } from 'zod';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

type OfWorkspace = Input<z.output<typeof idParams>>;

/** Adds a workspace to the beta of actions. */
export async function addToActionCohort({ principal, params }: OfWorkspace, deps: RouteDeps): Promise<Reply<undefined>> {
  await requireWorkspaceExists(deps.db, params.id);
  return change(principal, params.id, true, deps);
}

/** Removes a workspace from the beta of actions; its accepted runs continue. */
export async function removeFromActionCohort({ principal, params }: OfWorkspace, deps: RouteDeps): Promise<Reply<undefined>> {
  return change(principal, params.id, false, deps);
}

async function change(
  principal: OfWorkspace['principal'],
  workspaceId: string,
  member: boolean,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  await recordChange(principal, deps, {
    ...{ action: member ? 'action-cohort.add' : 'action-cohort.remove', workspaceId, targetId: workspaceId },
    make: () => deps.clients.actions.setCohortMember({ workspaceId, member }, { caller: principal }),
  });
  return { body: undefined };
}
