import { type z } from 'zod';
import { assertWorkspace } from '../../../store/workspaces.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

type OfWorkspace = Input<z.output<typeof idParams>>;

/** Lets a workspace take part in the beta of actions. */
export async function addToActionCohort({ principal, params }: OfWorkspace, deps: RouteDeps): Promise<Reply<undefined>> {
  await assertWorkspace(deps.db, params.id);
  return change(principal, params.id, true, deps);
}

/** Lets a workspace no longer take part; its runs that were accepted go on. */
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
