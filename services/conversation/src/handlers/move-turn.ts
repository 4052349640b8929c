import { type Call } from '@parley/kit/rpc/call';
import { type MoveTurn, type TurnMoved } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { toTurnMove } from '../domain/turn-request.ts';
import { requireOwnTurn } from './require-own-turn.ts';

/**
 * Moves a turn that no upstream has accepted, and its conversation, to another connection. Idempotent. `moved` is false when the turn has
 * ended, the conversation has started or its creator named the connection.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function moveTurn({ store }: Deps, question: MoveTurn, { caller }: Call): Promise<TurnMoved> {
  const move = toTurnMove(question, caller);
  const moved = await store.turns.move(move);
  if (!moved) await requireOwnTurn(store, move);
  return { moved };
}
