import { type z } from 'zod';
import { type routeProfile, toRouteProfile } from '../../../wire/route-profile.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type workspaceQuery } from '../fields.ts';

/** Returns all route profiles of a workspace. */
export async function listRouteProfiles(
  { principal, query }: Input<undefined, z.output<typeof workspaceQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof routeProfile>[]>> {
  const { profiles } = await clients.chatRouting.listRouteProfiles({}, { caller: withWorkspace(principal, query.workspace_id) });
  return { body: profiles.map(toRouteProfile), headers: { 'x-total-count': String(profiles.length) } };
}
