import { type GatewayError } from '@parley/protos/errors';
import { type HealthEffect, toHealthEffect } from '../domain/error-effects.ts';
import { type ConnectionRegistry } from './connection-registry.ts';
import { type Connection } from './connection.ts';

/** Effects that are ignored for calls other than turns. */
const UNCOUNTED: ReadonlySet<HealthEffect> = new Set(['ok', 'unknown', 'rejected', 'model']);

/**
 * Applies the error of a call that is not a turn to the health of its connection, unless `secret`, with which it was made, is no longer
 * current. Successes of such calls prove nothing about turns and are not recorded.
 */
export function recordCallError(
  { connections }: { connections: ConnectionRegistry },
  connection: Connection,
  secret: string,
  error: GatewayError,
): void {
  const health = toHealthEffect(error);
  if (UNCOUNTED.has(health) || !connection.isOutcomeCurrent(secret)) return;
  connections.health.recordOutcome(connection, health);
}

/** Like `recordCallError`, but ignores failures of the upstream: it may still answer turns while this operation is down. */
export function recordSideCallError(
  deps: { connections: ConnectionRegistry },
  connection: Connection,
  secret: string,
  error: GatewayError,
): void {
  if (toHealthEffect(error) !== 'failure') recordCallError(deps, connection, secret, error);
}
