import { isUuid } from '@parley/kit/ids/uuid';
import type { Call } from '@parley/kit/rpc/call';
import type { SetContinuityRequest } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { continuable, isOwnWork } from '../domain/access.ts';
import { isContinuityStatus } from '../domain/continuity.ts';
import { setContinuity as writeContinuity } from '../store/continuity.ts';
import { readOwnership } from '../store/ownership.ts';
import type { Store } from '../store/store.ts';

/**
 * Marks what the upstream said about a conversation, for a caller who may continue it or a service that acts for itself.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function setContinuity({ database }: Store, request: SetContinuityRequest, { caller }: Call): Promise<Record<string, never>> {
  const { conversationId, status } = request;
  if (!isContinuityStatus(status)) throw new GatewayError('VALIDATION_ERROR', 'status is not a continuity status', { param: 'status' });
  if (!isUuid(conversationId)) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation does not exist');
  if (!isOwnWork(caller)) continuable(await readOwnership(database, conversationId), caller);
  await writeContinuity(database, conversationId, status);
  return {};
}
