import { type Cohort } from '@parley/protos/actions/v1/actions';
import { type Deps } from '../deps.ts';
import { listMembers } from '../store/cohort.ts';

/** Returns the workspaces that take part in the beta. */
export async function listCohort({ store: { database } }: Deps): Promise<Cohort> {
  return { workspaceIds: await listMembers(database) };
}
