import { type z } from 'zod';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type slugParams, type workspaceQuery } from '../fields.ts';

/** Deletes a route profile. */
export async function deleteRouteProfile(
  { principal, params, query }: Input<z.output<typeof slugParams>, z.output<typeof workspaceQuery>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  const caller = withWorkspace(principal, query.workspace_id);
  await recordChange(principal, deps, {
    ...{ action: 'route-profile.delete', workspaceId: query.workspace_id, targetId: params.slug },
    make: () => deps.clients.chatRouting.deleteRouteProfile({ slug: params.slug }, { caller }),
  });
  return { body: undefined };
}
