import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { newMessages } from '../domain/new-messages.ts';
import { type TurnDeps } from './deps.ts';
import { readHistory } from './history.ts';

/**
 * The messages a request adds to a conversation that goes on: all of them where that has none yet. Throws VALIDATION_ERROR when there are
 * none.
 */
export async function messagesOf(deps: TurnDeps, request: TurnRequest, binding: Binding, call: Call): Promise<readonly TurnMessage[]> {
  const fresh = newMessages(request.messages);
  const messages = fresh.length === request.messages.length || !(await isEmpty(deps, binding, call)) ? fresh : request.messages;
  if (messages.length === 0)
    throw new GatewayError('VALIDATION_ERROR', 'there is no message after the last assistant message', { param: 'messages' });
  return messages;
}

/** A conversation without a turn may have messages all the same, when it was imported. */
async function isEmpty(deps: TurnDeps, { conversationId, lastSequence }: Binding, call: Call): Promise<boolean> {
  if (lastSequence > 0) return false;
  return (await readHistory(deps, { conversationId, beforeTurnId: '' }, call)).length === 0;
}
