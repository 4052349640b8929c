import { type Call } from '@parley/kit/rpc/call';
import { type ListRouteProfilesResponse } from '@parley/protos/routing/v1/routing';
import { type HandlerDeps } from './deps.ts';

/** RPC ListRouteProfiles: the workspace's profiles by slug. */
export async function listRouteProfiles({ rules }: HandlerDeps, call: Call): Promise<ListRouteProfilesResponse> {
  return { profiles: await rules.listProfiles(call.caller.workspaceId) };
}
