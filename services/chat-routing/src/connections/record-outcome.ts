import { type GatewayError } from '@parley/protos/errors';
import { type HealthEffect, toHealthEffect } from '../domain/failure.ts';
import { type Connection } from './connection.ts';
import { type Connections } from './connections.ts';

/** Effects that are ignored for calls other than turns. */
const UNCOUNTED: ReadonlySet<HealthEffect> = new Set(['ok', 'unknown', 'rejected', 'model']);

/**
 * Applies the error of a call that is not a turn to the health of its connection, unless `secret`, with which it was made, is no longer
 * current. Successes of such calls prove nothing about turns and are not recorded.
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

/** Like `recordCallOutcome`, but ignores failures of the upstream: it may still answer turns while this operation is down. */
export function recordSideCallOutcome(
  deps: { connections: Connections },
  connection: Connection,
  secret: string,
  error: GatewayError,
): void {
  if (toHealthEffect(error) !== 'failure') recordCallOutcome(deps, connection, secret, error);
}
