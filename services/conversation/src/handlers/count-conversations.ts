import { type Call } from '@parley/kit/rpc/call';
import { type CountConversationsRequest, type CountConversationsResponse } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { requireCallerWorkspace } from '../domain/turn-request.ts';
import { countByProject } from '../store/count-conversations.ts';

const MAX_IDS = 200;

/**
 * Counts the conversations of the caller's workspace, of all its keys, in upstream projects (`conversation_count` of a project).
 * @throws VALIDATION_ERROR; CONVERSATION_ACCESS_DENIED for a caller without a workspace.
 */
export async function countConversations(
  { store: { database } }: Deps,
  { upstreamProjectIds }: CountConversationsRequest,
  { caller }: Call,
): Promise<CountConversationsResponse> {
  const workspaceId = requireCallerWorkspace(caller);
  if (upstreamProjectIds.length > MAX_IDS) {
    throw new GatewayError('VALIDATION_ERROR', `more than ${MAX_IDS} projects`, { param: 'upstream_project_ids' });
  }
  if (upstreamProjectIds.length === 0) return { counts: [] };
  return { counts: await countByProject(database.generalPool, workspaceId, upstreamProjectIds.map(toStorableText)) };
}
