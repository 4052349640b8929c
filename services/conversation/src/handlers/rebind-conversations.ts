import { type Call } from '@parley/kit/rpc/call';
import { type RebindConversationsRequest, type RebindConversationsResponse } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { requireCallerWorkspace } from '../domain/turn-request.ts';
import { rebindConversations as rebind } from '../store/bound-conversations.ts';

/**
 * Binds the conversations of the caller's workspace on one connection to another one, and sets them `available`. A cancelled call leaves
 * the rest unchanged; repeating it continues.
 * @throws VALIDATION_ERROR; CONVERSATION_ACCESS_DENIED for a caller without a workspace.
 */
export async function rebindConversations(
  { store }: Deps,
  request: RebindConversationsRequest,
  call: Call,
): Promise<RebindConversationsResponse> {
  const { keepState } = request;
  const [from, to] = [toStorableText(request.fromAccountId), toStorableText(request.toAccountId)];
  if (from === '' || to === '' || from === to) {
    throw new GatewayError('VALIDATION_ERROR', 'from_account_id and to_account_id are not two accounts', { param: 'to_account_id' });
  }
  return { conversations: await rebind(store, { workspaceId: requireCallerWorkspace(call.caller), from, to, keepState }, call) };
}
