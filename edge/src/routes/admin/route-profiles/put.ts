import { z } from 'zod';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type routeProfile, ROUTE_STRATEGIES, toRouteProfile } from '../../../wire/route-profile.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { label } from '../connections/fields.ts';
import { type slugParams, type workspaceQuery } from '../fields.ts';

/** The body of a route profile: its accounts, its model and its strategy. */
export const routeProfileBody = z
  .object({
    account_labels: z.array(label).max(100).default([]).meta({ description: 'In order of preference; empty: all accounts.' }),
    model: name.nullish().meta({ description: 'Used when a request says `auto`.' }),
    strategy: z
      .enum(ROUTE_STRATEGIES)
      .optional()
      .meta({ description: 'Absent: `priority` where accounts are named, `least_loaded` otherwise.' }),
    weights: z
      .array(z.int().min(1).max(1_000))
      .max(100)
      .default([])
      .meta({ description: 'For `weighted`: one weight for each of `account_labels`, in their order.' }),
  })
  .meta({ id: 'RouteProfileBody' });

type PutInput = Input<z.output<typeof slugParams>, z.output<typeof workspaceQuery>, z.output<typeof routeProfileBody>>;

/** Creates or replaces a route profile. */
export async function putRouteProfile(
  { principal, params, query, body }: PutInput,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof routeProfile>>> {
  await requireWorkspaceExists(deps.db, query.workspace_id);
  const profile = await recordChange(principal, deps, {
    ...{ action: 'route-profile.put', workspaceId: query.workspace_id, targetId: params.slug },
    details: { account_labels: body.account_labels, model: body.model ?? null, weights: body.weights.map(String) },
    make: () =>
      deps.clients.chatRouting.putRouteProfile(
        {
          ...{ slug: params.slug, accountLabels: body.account_labels, model: body.model ?? '' },
          ...{ strategy: body.strategy ?? '', weights: body.weights },
        },
        { caller: withWorkspace(principal, query.workspace_id) },
      ),
    toAuditFields: ({ strategy }) => ({ details: { strategy } }),
  });
  return { body: toRouteProfile(profile) };
}
