import { type Call } from '@parley/kit/rpc/call';
import { type ListRouteProfilesResponse } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { listProfiles } from '../store/routing-rules.ts';

/** RPC ListRouteProfiles: all route profiles of the workspace, ordered by slug. */
export async function listRouteProfiles({ store }: Deps, call: Call): Promise<ListRouteProfilesResponse> {
  return { profiles: await listProfiles(store.database, call.caller.workspaceId) };
}
