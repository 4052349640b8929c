import { type RouteProfile } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';

/** A named way to choose an account (header X-Service-Route-Profile). */
export const routeProfile = z
  .object({ slug: z.string(), account_labels: z.array(z.string()), model: z.string().nullable() })
  .meta({ id: 'RouteProfile' });

/** The wire form of a route profile. */
export function toRouteProfile({ slug, accountLabels, model }: RouteProfile): z.input<typeof routeProfile> {
  return { slug, account_labels: accountLabels, model: model === '' ? null : model };
}
