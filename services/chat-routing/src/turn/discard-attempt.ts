import { type Connection } from '../connections/connection.ts';
import { type TurnDeps } from './turn-deps.ts';

/** An attempt that a turn has gone from. */
export interface LeftAttempt {
  connection: Connection;
  /** The id under which the upstream knows the turn. */
  turnId: string;
  requestId: string;
}

/** Removes beside everything else what an attempt may have left on its account. */
export function discardAttempt({ cleanups }: Pick<TurnDeps, 'cleanups'>, { connection, turnId, requestId }: LeftAttempt): void {
  const { discardTurn } = connection.provider;
  if (!discardTurn) return;
  // Credentials and address may be others by the time it works.
  void cleanups.remove({
    connectionId: connection.id,
    what: 'turn',
    reference: turnId,
    requestId,
    remove: () => discardTurn(connection.upstream, turnId),
  });
}
