import { NOTICES } from '@parley/protos/subjects';
import { type RouteDeps } from '../deps.ts';

/** Makes every edge forget what it knows about keys with this id, or of this user or workspace: here at once, elsewhere by a notice. */
export function announceKeyChange({ keys, bus }: Pick<RouteDeps, 'keys' | 'bus'>, id: string): void {
  keys.invalidate(id);
  bus.notify(NOTICES.keyChanged, Buffer.from(id));
}
