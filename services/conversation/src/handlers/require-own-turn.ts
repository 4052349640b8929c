import { GatewayError } from '@parley/protos/errors';
import { type TurnKey } from '../domain/turn.ts';
import { type Store } from '../store/store.ts';
import { type StoredTurn, findTurn } from '../store/turn-records.ts';

/** Returns a recorded turn to the caller that began it. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function requireOwnTurn({ database }: Store, { turnId, conversationId, workspaceId, keyId }: TurnKey): Promise<StoredTurn> {
  const recorded = await findTurn(database.turnPool, turnId);
  if (recorded?.conversationId !== conversationId) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the turn does not exist');
  if (recorded.workspaceId !== workspaceId || recorded.keyId !== keyId) {
    throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'the turn belongs to another key');
  }
  return recorded;
}
