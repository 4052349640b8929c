import { type Call } from '@parley/kit/rpc/call';
import { type Route } from './route.ts';
import { type TurnDeps } from './turn-deps.ts';

/** Acquires a concurrency slot on the connection of a route, waiting if necessary. Does nothing when the route already holds one. */
export async function acquireSlot(route: Route, call: Call): Promise<void> {
  if (route.hasSlot) return;
  await route.connection.limiter.acquire(call);
  route.hasSlot = true;
}

/** Releases the slot of a route whose turn does not begin, or not yet. Does nothing when it holds none. */
export function releaseSlot(route: Route): void {
  if (!route.hasSlot) return;
  route.hasSlot = false;
  route.connection.limiter.release();
}

/** Releases what a route holds of its connection: the slot and the probe claim. */
export function releaseRoute({ connections }: Pick<TurnDeps, 'connections'>, route: Route): void {
  releaseSlot(route);
  if (route.probing) connections.health.releaseProbe(route.connection);
}
