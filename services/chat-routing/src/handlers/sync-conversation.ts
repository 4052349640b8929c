import { type Call, onBehalfOf } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { type Conversation, type MergeUpstreamRequest } from '@parley/protos/conversation/v1/resource';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type SyncConversationRequest } from '@parley/protos/routing/v1/routing';
import { type Connection } from '../connections/connection.ts';
import { recordCallOutcome } from '../connections/record-outcome.ts';
import { findContinuity } from '../conversation/record-continuity.ts';
import { busyError, openConversation } from '../conversation/open-conversation.ts';
import { recordError } from '../conversation/record-error.ts';
import { requireAdmission } from '../conversation/require-admission.ts';
import { type Continuity } from '../domain/failure.ts';
import { findLiveProject } from '../projects/find-project.ts';
import { type ChatProvider } from '../providers/provider.ts';
import { type Deps } from '../deps.ts';

const RECORD_MS = 10_000;

/** What the upstream says of a conversation now. */
type Finding = Pick<MergeUpstreamRequest, 'continuityStatus' | 'upstreamState' | 'messages' | 'onlyAdded'>;

/**
 * RPC SyncConversation: pulls the upstream's state of a conversation and merges it. That it is gone there, or out of reach for
 * this connection, is a finding like any other; that the upstream cannot be asked is an error and changes nothing. Where the upstream keeps
 * nothing of it, the conversation is answered as it is. Throws CONVERSATION_BUSY while a turn runs in it.
 */
export async function syncConversation(deps: Deps, { conversationId }: SyncConversationRequest, call: Call): Promise<Conversation> {
  const { workspaceId } = call.caller;
  const binding = await openConversation(deps, conversationId, call);
  if (binding.busy) throw busyError();
  if (binding.upstreamProjectId && !(await findLiveProject(deps, workspaceId, binding.upstreamProjectId)))
    return merge(deps, binding, found('project_unavailable'), call);
  const connection = (await deps.connections.of(workspaceId)).find(({ id }) => id === binding.upstreamAccountId);
  const fetch = connection?.provider.fetchConversation;
  // A stateless provider keeps nothing, and nothing is kept before the first turn was taken.
  if (connection && (!fetch || binding.upstreamState === '')) return asItIs(deps, binding, call);
  if (!connection?.ready || !fetch) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  const finding = await callUpstream(deps, connection, binding, call, fetch);
  // Where another turn has run meanwhile, the upstream's answer is old, and the next turn must not go on from there.
  const { busy, lastSequence } = await openConversation(deps, conversationId, call);
  if (busy || lastSequence !== binding.lastSequence) throw busyError();
  return merge(deps, binding, finding, call);
}

/** Asks the connection's upstream. A read proves nothing about turns, so only what goes wrong counts for the connection's health. */
async function callUpstream(
  deps: Deps,
  connection: Connection,
  binding: Binding,
  call: Call,
  fetch: NonNullable<ChatProvider['fetchConversation']>,
): Promise<Finding> {
  // Only new credentials change that.
  if (connection.admission() === 'expired') return found('session_expired');
  requireAdmission(deps, connection, binding, call);
  connection.usedSinceTouch = true;
  const { upstream } = connection;
  try {
    return { continuityStatus: 'available', onlyAdded: false, ...(await fetch(upstream, binding.upstreamState)) };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    recordCallOutcome(deps, connection, upstream.secret, error);
    const continuity = findContinuity(connection, error);
    if (!continuity) throw error;
    deps.log.info(
      { requestId: call.caller.requestId, conversationId: binding.conversationId, continuity },
      'conversation found lost upstream',
    );
    return found(continuity);
  }
}

function found(continuityStatus: Continuity): Finding {
  return { continuityStatus, upstreamState: '', messages: [], onlyAdded: false };
}

function merge({ conversation }: Deps, binding: Binding, finding: Finding, call: Call): Promise<Conversation> {
  const { conversationId, lastSequence } = binding;
  return recorded(call, conversation.mergeUpstream({ conversationId, lastSequence, ...finding }, onBehalfOf(call, RECORD_MS)));
}

/** The conversation unchanged, but for a project that is there again. */
async function asItIs({ conversation }: Deps, { conversationId, continuityStatus }: Binding, call: Call): Promise<Conversation> {
  const init = onBehalfOf(call, RECORD_MS);
  if (continuityStatus === 'project_unavailable')
    await recorded(call, conversation.setContinuity({ conversationId, status: 'available' }, init));
  const detail = await recorded(call, conversation.getConversation({ conversationId }, init));
  if (!detail.conversation) throw new GatewayError('INTERNAL_ERROR', 'the record answered without the conversation');
  return detail.conversation;
}

/** What the record answered. Throws SERVICE_UNAVAILABLE when it could not be asked. */
async function recorded<T>(call: Call, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw call.abandoned ?? recordError(error);
  });
}
