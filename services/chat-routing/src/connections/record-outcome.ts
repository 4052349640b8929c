import { type GatewayError } from '@parley/protos/errors';
import { type HealthEffect, toHealthEffect } from '../domain/failure.ts';
import { type Connection } from './connection.ts';
import { type Connections } from './connections.ts';

/** What a failed call that is not a turn does not prove: that turns work, or that the request it sent was at fault. */
const UNCOUNTED: ReadonlySet<HealthEffect> = new Set(['ok', 'unknown', 'rejected', 'model']);

/**
 * Records the failure of a call that is not a turn, made with `secret`, for the health of a connection. The success of such a call proves nothing
 * about turns and is not recorded.
 */
export function recordCallOutcome(
  { connections }: { connections: Connections },
  connection: Connection,
  secret: string,
  error: GatewayError,
): void {
  const health = toHealthEffect(error);
  if (UNCOUNTED.has(health) || !connection.isCurrent(secret)) return;
  connections.health.report(connection, health);
}

/** The same for a call that the connection can serve turns without: an upstream that is down for it may still answer turns. */
export function recordSideCallOutcome(
  deps: { connections: Connections },
  connection: Connection,
  secret: string,
  error: GatewayError,
): void {
  if (toHealthEffect(error) !== 'failure') recordCallOutcome(deps, connection, secret, error);
}
