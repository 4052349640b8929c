import { type Account } from '../accounts/account.ts';
import { type TurnDeps } from './deps.ts';

/** Removes beside everything else what an attempt may have left on an account that the turn has gone from. */
export function discardAttempt({ cleanups }: Pick<TurnDeps, 'cleanups'>, account: Account, turnId: string): void {
  const { discardTurn } = account.provider;
  if (!discardTurn) return;
  // Credentials and address may be others by the time it works.
  void cleanups.remove({ connectionId: account.id, what: 'turn', reference: turnId, remove: () => discardTurn(account.upstream, turnId) });
}
