import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type RouteProfile } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { requireStrategy } from '../domain/route-strategy.ts';
import { putProfile } from '../store/routing-rules.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * RPC PutRouteProfile: creates or replaces a route profile and returns it with its effective strategy. Throws VALIDATION_ERROR for an
 * invalid slug, an unknown connection label, and labels or weights that do not fit the strategy.
 */
export async function putRouteProfile({ store, connections }: Deps, profile: RouteProfile, call: Call): Promise<RouteProfile> {
  const { workspaceId } = call.caller;
  if (!SLUG.test(profile.slug) || profile.slug.length > 64) {
    throw new GatewayError('VALIDATION_ERROR', 'a slug is up to 64 lowercase letters and digits with single dashes', { param: 'slug' });
  }
  const known = new Set((await connections.listChat(workspaceId)).map(({ row }) => row.label));
  const unknown = profile.accountLabels.find((label) => !known.has(label));
  if (unknown !== undefined)
    throw new GatewayError('VALIDATION_ERROR', `no account has the label ${JSON.stringify(unknown)}`, { param: 'account_labels' });
  const stored = { ...profile, strategy: requireStrategy(profile) };
  await putProfile(store.database, workspaceId, stored);
  return stored;
}
