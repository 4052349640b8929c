import { type Connection } from '@parley/protos/routing/v1/routing';

/** Statuses of usable connections; temporary problems do not remove a feature from a workspace. */
const SERVING: ReadonlySet<string> = new Set(['active', 'cooldown', 'rate_limited']);

/** Whether a connection is usable now or after its cooldown. */
export function isUsableConnection({ status }: Pick<Connection, 'status'>): boolean {
  return SERVING.has(status);
}
