import { NOTICES } from '@parley/protos/subjects';
import { type RouteDeps } from './deps.ts';

/** Makes every edge forget what it knows about a key, a session, a service account, a user or a workspace with this id: here at once, elsewhere by a notice. */
export function announceChange({ keys, identity, bus }: Pick<RouteDeps, 'keys' | 'identity' | 'bus'>, id: string): void {
  keys.invalidate(id);
  identity.invalidate(id);
  bus.notify(NOTICES.keyChanged, Buffer.from(id));
}
