import type { Call } from '@parley/kit/rpc/call';
import type { MoveTurn, TurnMoved } from '@parley/protos/conversation/v1/conversation';
import { toTurnMove } from '../domain/turn-request.ts';
import type { Store } from '../store/store.ts';
import { requireOwnTurn } from './require-own-turn.ts';

/**
 * Commits that a turn which no upstream has accepted is put to another account, and its conversation with it. Asking again is the same as
 * asking once. `moved` is false when the turn has ended, the conversation has started or its account was named.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function moveTurn(store: Store, question: MoveTurn, { caller }: Call): Promise<TurnMoved> {
  const move = toTurnMove(question, caller);
  const moved = await store.turns.move(move);
  if (!moved) await requireOwnTurn(store, move);
  return { moved };
}
