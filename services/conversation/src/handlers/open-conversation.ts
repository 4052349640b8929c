import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Binding, type LastTurn, type OpenConversation } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { listFailedConnectionIds } from '../domain/turn-attempts.ts';
import { isRefusedTurn } from '../domain/turn.ts';
import { closeTurnIfAbandoned } from '../reaper/close-abandoned-turns.ts';
import { type StoredBinding } from '../store/bindings.ts';
import { requireWritableConversation } from './require-writable-conversation.ts';

/** Returns the binding of a conversation that the caller may continue. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function openConversation({ store }: Deps, { conversationId }: OpenConversation, { caller }: Call): Promise<Binding> {
  const read = async () => {
    const found = isUuid(conversationId) ? await store.turns.findBinding(conversationId.toLowerCase()) : undefined;
    return requireWritableConversation(store.database, conversationId, found, caller);
  };
  const binding = await read();
  if (!binding.abandoned || !binding.lastTurnId) return toBinding(binding);
  // Closes an abandoned turn here instead of waiting for the reaper.
  await closeTurnIfAbandoned(store, binding.lastTurnId);
  return toBinding(await read());
}

function toBinding(binding: StoredBinding): Binding {
  const { upstreamAccountId, destinationType, model, continuityStatus, upstreamState, lastSequence, busy, started, accountNamed } = binding;
  return {
    ...{ upstreamAccountId, destinationType, model, continuityStatus, upstreamState, lastSequence, busy, started, accountNamed },
    conversationId: binding.id,
    upstreamProjectId: binding.upstreamProjectId ?? '',
    lastTurn: toLastTurn(binding),
  };
}

function toLastTurn(binding: StoredBinding): LastTurn | undefined {
  const { lastTurnId, lastStatus, lastDigest, askedTurnId, lastFinishReason, lastAttempts, lastEndedAt } = binding;
  if (lastTurnId === null) return undefined;
  return {
    turnId: lastTurnId,
    status: lastStatus ?? 'streaming',
    requestDigest: lastDigest ?? Buffer.alloc(0),
    askedTurnId: askedTurnId ?? lastTurnId,
    failedAccountIds: isRefusedTurn(lastStatus, lastFinishReason) ? listFailedConnectionIds(lastAttempts) : [],
    endedAt: lastEndedAt ?? undefined,
  };
}
