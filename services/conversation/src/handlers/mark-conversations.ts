import { type Call } from '@parley/kit/rpc/call';
import { type MarkConversationsRequest } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { isContinuityStatus } from '../domain/continuity.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { requireCallerWorkspace } from '../domain/turn-request.ts';
import { applyContinuityStatus as mark } from '../store/bound-conversations.ts';

/**
 * Sets the continuity status of every conversation of the caller's workspace on a connection, or in an upstream project, like
 * `SetContinuity`. A cancelled call leaves the rest unchanged; repeating it continues.
 * @throws VALIDATION_ERROR; CONVERSATION_ACCESS_DENIED for a caller without a workspace.
 */
export async function markConversations(
  { store }: Deps,
  { of, status }: MarkConversationsRequest,
  call: Call,
): Promise<Record<string, never>> {
  if (!isContinuityStatus(status)) throw new GatewayError('VALIDATION_ERROR', 'status is not a continuity status', { param: 'status' });
  if (!of?.value) throw new GatewayError('VALIDATION_ERROR', 'neither an account nor a project is given', { param: 'of' });
  const where = { workspaceId: requireCallerWorkspace(call.caller), binding: of.$case, id: toStorableText(of.value) };
  await mark(store, where, status, call);
  return {};
}
