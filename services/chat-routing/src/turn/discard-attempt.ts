import { type Connection } from '../connections/connection.ts';
import { type TurnDeps } from './turn-deps.ts';

/** An attempt that its turn has abandoned for another connection. */
export interface AbandonedAttempt {
  connection: Connection;
  /** The id under which the upstream knows the turn. */
  turnId: string;
  requestId: string;
}

/**
 * Deletes, in the background, what an abandoned attempt may have left at its provider. Does nothing if the provider has no such operation.
 */
export function discardAttempt({ cleanups }: Pick<TurnDeps, 'cleanups'>, { connection, turnId, requestId }: AbandonedAttempt): void {
  const { discardTurn } = connection.provider;
  if (!discardTurn) return;
  // Reads `upstream` at the time of each try: credentials and base URL may have changed by then.
  void cleanups.deleteWithRetries({
    connectionId: connection.id,
    resourceType: 'turn',
    reference: turnId,
    requestId,
    remove: () => discardTurn(connection.upstream, turnId),
  });
}
