import { type Bus } from '../bus/bus.ts';
import { type Readiness } from '../lifecycle/readiness.ts';
import { type Relay } from './relay.ts';

/** Adds optional readiness checks of the bus and the outbox. A service is ready without the broker: events wait in its outbox. */
export function addEventReadinessChecks(readiness: Readiness, bus: Pick<Bus, 'connected'>, relay: Pick<Relay, 'depth'>): void {
  readiness.add('bus', async () => (bus.connected ? 'connected' : 'not connected; events wait in the outbox'), { required: false });
  readiness.add('outbox', async () => `${await relay.depth()} batches of events wait`, { required: false });
}
