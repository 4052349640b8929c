import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Eligibility } from '@parley/protos/actions/v1/actions';
import { type Deps } from '../deps.ts';

/** Returns whether the caller's workspace can start runs, and why not: `execution_disabled` or `not_in_cohort`. */
export async function getEligibility(
  deps: Pick<Deps, 'catalog' | 'executing'>,
  _request: unknown,
  { caller }: Pick<Call, 'caller'>,
): Promise<Eligibility> {
  if (!deps.executing) return { enabled: false, reason: 'execution_disabled' };
  const isMember = isUuid(caller.workspaceId) && (await deps.catalog.isCohortMember(caller.workspaceId));
  return isMember ? { enabled: true, reason: '' } : { enabled: false, reason: 'not_in_cohort' };
}
