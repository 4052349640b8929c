import { NOTICES } from '@parley/protos/subjects';
import { type RouteDeps } from './deps.ts';

/**
 * Makes every edge drop its cached records about a key, a session, a service account, a user or a workspace with this id: this edge at
 * once, the others by a notice.
 */
export function invalidateEverywhere({ keys, identity, bus }: Pick<RouteDeps, 'keys' | 'identity' | 'bus'>, id: string): void {
  keys.invalidate(id);
  identity.invalidate(id);
  bus.notify(NOTICES.keyChanged, Buffer.from(id));
}
