import { GatewayError } from '@parley/protos/errors';
import type { Caller } from '@parley/protos/common/v1/caller';

/** What decides who may use a conversation. */
export interface Ownership {
  workspaceId: string;
  ownerKeyId: string;
  deletedAt: Date | null;
}

/** True for a service that acts for itself, on nobody's behalf. */
export function isOwnWork(caller: Caller): boolean {
  return caller.workspaceId === '' && caller.keyId === '';
}

/**
 * True when the caller may add turns: a conversation belongs to its workspace and its owning key.
 * Being archived does not matter here: an archived conversation can be continued and stays archived.
 */
export function canContinue(conversation: Ownership, caller: Caller): boolean {
  return caller.keyId !== '' && conversation.workspaceId === caller.workspaceId && conversation.ownerKeyId === caller.keyId;
}

/** The conversation, when it exists and the caller may continue it. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export function continuable<T extends Ownership>(conversation: T | undefined | null, caller: Caller): T {
  if (!conversation || conversation.deletedAt) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation does not exist');
  if (!canContinue(conversation, caller)) {
    throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'the conversation belongs to another key');
  }
  return conversation;
}
