import { type Call } from '@parley/kit/rpc/call';
import { type TurnDeps } from './deps.ts';
import { type Route } from './route.ts';

/** Waits until the account of a route has room for the turn, which it may have been given with the choice of the account. */
export async function takeRoom(route: Route, call: Call): Promise<void> {
  if (route.hasRoom) return;
  await route.account.gate.enter(call);
  route.hasRoom = true;
}

/** Gives the room of a turn back that does not begin, or not yet. */
export function giveRoomBack(route: Route): void {
  if (!route.hasRoom) return;
  route.hasRoom = false;
  route.account.gate.leave();
}

/** Gives back what a route holds of its account: room, and the right to probe it. */
export function release({ accounts }: Pick<TurnDeps, 'accounts'>, route: Route): void {
  giveRoomBack(route);
  if (route.probing) accounts.health.releaseProbe(route.account);
}
