import { type RouteProfile } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { toKnownValue } from './to-known-value.ts';

/** How a profile chooses one of its accounts. */
export const ROUTE_STRATEGIES = ['priority', 'weighted', 'least_loaded'] as const;

/** A named rule that chooses the account of a turn (header X-Service-Route-Profile). */
export const routeProfile = z
  .object({
    slug: z.string(),
    account_labels: z.array(z.string()),
    model: z.string().nullable(),
    strategy: z.enum(ROUTE_STRATEGIES),
    weights: z.array(z.int()).meta({ description: 'For `weighted`: one weight for each of `account_labels`.' }),
  })
  .meta({ id: 'RouteProfile' });

/** Converts a route profile to its JSON form. */
export function toRouteProfile({ slug, accountLabels, model, strategy, weights }: RouteProfile): z.input<typeof routeProfile> {
  const usual = accountLabels.length > 0 ? 'priority' : 'least_loaded';
  return {
    ...{ slug, account_labels: accountLabels, model: model === '' ? null : model },
    ...{ strategy: toKnownValue(ROUTE_STRATEGIES, strategy, usual), weights },
  };
}
