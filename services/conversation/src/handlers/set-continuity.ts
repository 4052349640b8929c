import { type Call } from '@parley/kit/rpc/call';
import { type SetContinuityRequest } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { mergeContinuity, isContinuityStatus } from '../domain/continuity.ts';
import { changeConversation } from '../store/change-conversation.ts';

/**
 * Sets the continuity status that the upstream reported, for a caller who may continue the conversation or a service on its own behalf.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function setContinuity({ store }: Deps, request: SetContinuityRequest, { caller }: Call): Promise<Record<string, never>> {
  const { conversationId, status } = request;
  if (!isContinuityStatus(status)) throw new GatewayError('VALIDATION_ERROR', 'status is not a continuity status', { param: 'status' });
  await changeConversation(
    store,
    { conversationId, caller, permission: 'write', allowService: true },
    async ({ conversation, change, emit }) => {
      const continuityStatus = mergeContinuity(conversation.continuityStatus, status);
      if (continuityStatus === conversation.continuityStatus) return;
      await change({ continuityStatus });
      emit('continuityChanged');
    },
  );
  return {};
}
