import { type Call } from '@parley/kit/rpc/call';
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
