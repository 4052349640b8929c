import { type Call } from '@parley/kit/rpc/call';
import { type TurnDeps } from './turn-deps.ts';
import { type Route } from './route.ts';

/** Waits for a slot on the connection of a route, unless the turn got one with the choice of the connection. */
export async function acquireSlot(route: Route, call: Call): Promise<void> {
  if (route.hasSlot) return;
  await route.connection.limiter.acquire(call);
  route.hasSlot = true;
}

/** Releases the slot of a turn that does not begin, or not yet. */
export function releaseSlot(route: Route): void {
  if (!route.hasSlot) return;
  route.hasSlot = false;
  route.connection.limiter.release();
}

/** Releases what a route holds of its connection: a slot, and the right to probe it. */
export function releaseRoute({ connections }: Pick<TurnDeps, 'connections'>, route: Route): void {
  releaseSlot(route);
  if (route.probing) connections.health.releaseProbe(route.connection);
}
