import { isUuid } from '@parley/kit/ids/uuid';
import { type SetCohortMemberRequest } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { setMember } from '../store/cohort.ts';

/** Adds a workspace to the beta, or removes it. @throws VALIDATION_ERROR */
export async function setCohortMember({ store: { database } }: Deps, { workspaceId, member }: SetCohortMemberRequest): Promise<object> {
  if (!isUuid(workspaceId)) throw new GatewayError('VALIDATION_ERROR', 'workspace_id must be a UUID', { param: 'workspace_id' });
  await setMember(database, workspaceId, member);
  return {};
}
