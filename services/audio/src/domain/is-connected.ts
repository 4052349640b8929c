import { type Connection } from '@parley/protos/routing/v1/routing';

/** What passes by itself takes nothing away from what a workspace can do. */
const SERVING: ReadonlySet<string> = new Set(['active', 'cooldown', 'rate_limited']);

/** True for a connection that is usable now or after its cooldown. */
export function isConnected({ status }: Pick<Connection, 'status'>): boolean {
  return SERVING.has(status);
}
