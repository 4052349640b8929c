import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { type Conversation, type MergeUpstreamRequest } from '@parley/protos/conversation/v1/resource';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type SyncConversationRequest } from '@parley/protos/routing/v1/routing';
import { type Connection } from '../connections/connection.ts';
import { recordCallError } from '../connections/record-call-error.ts';
import { toClientError } from '../conversation/conversation-errors.ts';
import { conversationBusyError, readConversationBinding } from '../conversation/read-conversation-binding.ts';
import { findImpliedContinuity } from '../conversation/record-continuity.ts';
import { requireAdmission } from '../conversation/require-admission.ts';
import { type Deps } from '../deps.ts';
import { type ContinuityStatus } from '../domain/error-effects.ts';
import { findActiveProject } from '../projects/find-project.ts';
import { type ChatProvider } from '../providers/provider.ts';

const RECORD_MS = 10_000;

/** The current state of a conversation at its upstream. */
type Finding = Pick<MergeUpstreamRequest, 'continuityStatus' | 'upstreamState' | 'messages' | 'onlyAdded'>;

/**
 * RPC SyncConversation: fetches a conversation from its upstream, merges it and returns the result. A conversation that is deleted or
 * inaccessible there gets the corresponding continuity status; an upstream that cannot be reached is an error and changes nothing. When the
 * upstream keeps no state of it, the conversation is returned unchanged. Throws CONVERSATION_BUSY while a turn runs in it.
 */
export async function syncConversation(deps: Deps, { conversationId }: SyncConversationRequest, call: Call): Promise<Conversation> {
  const { workspaceId } = call.caller;
  const binding = await readConversationBinding(deps, conversationId, call);
  if (binding.busy) throw conversationBusyError();
  if (binding.upstreamProjectId && !(await findActiveProject(deps, workspaceId, binding.upstreamProjectId)))
    return merge(deps, binding, found('project_unavailable'), call);
  const connection = (await deps.connections.listChat(workspaceId)).find(({ id }) => id === binding.upstreamAccountId);
  const fetch = connection?.provider.fetchConversation;
  // Stateless providers keep no conversations, and others keep none before the first turn is accepted.
  if (connection && (!fetch || binding.upstreamState === '')) return asItIs(deps, binding, call);
  if (!connection?.ready || !fetch) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  const finding = await callUpstream(deps, connection, binding, call, fetch);
  // When a turn has run in the meantime, the upstream's answer is outdated, and the next turn must not continue from it.
  const { busy, lastSequence } = await readConversationBinding(deps, conversationId, call);
  if (busy || lastSequence !== binding.lastSequence) throw conversationBusyError();
  return merge(deps, binding, finding, call);
}

/** Fetches the conversation from the upstream. Only failures affect the connection's health: a read proves nothing about turns. */
async function callUpstream(
  deps: Deps,
  connection: Connection,
  binding: Binding,
  call: Call,
  fetch: NonNullable<ChatProvider['fetchConversation']>,
): Promise<Finding> {
  // Only new credentials end this state.
  if (connection.admission() === 'expired') return found('session_expired');
  requireAdmission(deps, connection, binding, call);
  connection.usedSinceTouch = true;
  const { upstream } = connection;
  try {
    return { continuityStatus: 'available', onlyAdded: false, ...(await fetch(upstream, binding.upstreamState)) };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    recordCallError(deps, connection, upstream.secret, error);
    const continuity = findImpliedContinuity(connection, error);
    if (!continuity) throw error;
    deps.log.info(
      { requestId: call.caller.requestId, conversationId: binding.conversationId, continuity },
      'conversation found lost upstream',
    );
    return found(continuity);
  }
}

function found(continuityStatus: ContinuityStatus): Finding {
  return { continuityStatus, upstreamState: '', messages: [], onlyAdded: false };
}

function merge({ conversation }: Deps, binding: Binding, finding: Finding, call: Call): Promise<Conversation> {
  const { conversationId, lastSequence } = binding;
  return recorded(call, conversation.mergeUpstream({ conversationId, lastSequence, ...finding }, toDownstreamInit(call, RECORD_MS)));
}

/** Returns the conversation unchanged, except that `project_unavailable` is cleared: its project exists again. */
async function asItIs({ conversation }: Deps, { conversationId, continuityStatus }: Binding, call: Call): Promise<Conversation> {
  const init = toDownstreamInit(call, RECORD_MS);
  if (continuityStatus === 'project_unavailable')
    await recorded(call, conversation.setContinuity({ conversationId, status: 'available' }, init));
  const detail = await recorded(call, conversation.getConversation({ conversationId }, init));
  if (!detail.conversation) throw new GatewayError('INTERNAL_ERROR', 'the record answered without the conversation');
  return detail.conversation;
}

/** Awaits an answer of the conversation service. Throws SERVICE_UNAVAILABLE when the service is unavailable. */
async function recorded<T>(call: Call, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw call.abortReason ?? toClientError(error);
  });
}
