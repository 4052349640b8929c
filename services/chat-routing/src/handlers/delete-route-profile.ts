import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type DeleteRouteProfileRequest } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { deleteProfile } from '../store/routing-rules.ts';

/** RPC DeleteRouteProfile: deletes a route profile of the workspace by slug. Throws ROUTE_PROFILE_NOT_FOUND. */
export async function deleteRouteProfile({ store }: Deps, { slug }: DeleteRouteProfileRequest, call: Call): Promise<Record<string, never>> {
  if (!(await deleteProfile(store.database, call.caller.workspaceId, slug)))
    throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such route profile', { param: 'slug' });
  return {};
}
