import { type Call, onBehalfOf } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { type Conversation, type MergeUpstreamRequest } from '@parley/protos/conversation/v1/resource';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type SyncConversationRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { recordCallOutcome } from '../accounts/record-outcome.ts';
import { findContinuity } from '../conversation/note-continuity.ts';
import { busyError, openConversation } from '../conversation/open-conversation.ts';
import { recordError } from '../conversation/record-error.ts';
import { requireAdmission } from '../conversation/require-admission.ts';
import { type Continuity } from '../domain/failure.ts';
import { findLiveProject } from '../projects/find-project.ts';
import { type ChatProvider } from '../providers/provider.ts';
import { type HandlerDeps } from './deps.ts';

const RECORD_MS = 10_000;

/** What the upstream says of a conversation now. */
type Finding = Pick<MergeUpstreamRequest, 'continuityStatus' | 'upstreamState' | 'messages' | 'onlyAdded'>;

/**
 * RPC SyncConversation: pulls the upstream's state of a conversation and merges it. That it is gone there, or out of reach for
 * this account, is a finding like any other; that the upstream cannot be asked is an error and changes nothing. Where the upstream keeps
 * nothing of it, the conversation is answered as it is. Throws CONVERSATION_BUSY while a turn runs in it.
 */
export async function syncConversation(deps: HandlerDeps, { conversationId }: SyncConversationRequest, call: Call): Promise<Conversation> {
  const { workspaceId } = call.caller;
  const binding = await openConversation(deps, conversationId, call);
  if (binding.busy) throw busyError();
  if (binding.upstreamProjectId && !(await findLiveProject(deps, workspaceId, binding.upstreamProjectId)))
    return merge(deps, binding, found('project_unavailable'), call);
  const account = (await deps.accounts.of(workspaceId)).find(({ id }) => id === binding.upstreamAccountId);
  const fetch = account?.provider.fetchConversation;
  // A stateless provider keeps nothing, and nothing is kept before the first turn was taken.
  if (account && (!fetch || binding.upstreamState === '')) return asItIs(deps, binding, call);
  if (!account?.ready || !fetch) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  const finding = await askUpstream(deps, account, binding, call, fetch);
  // Where another turn has run meanwhile, the upstream's answer is old, and the next turn must not go on from there.
  const { busy, lastSequence } = await openConversation(deps, conversationId, call);
  if (busy || lastSequence !== binding.lastSequence) throw busyError();
  return merge(deps, binding, finding, call);
}

/** Asks the account's upstream. A read proves nothing about turns, so only what goes wrong counts for the account's health. */
async function askUpstream(
  deps: HandlerDeps,
  account: Account,
  binding: Binding,
  call: Call,
  fetch: NonNullable<ChatProvider['fetchConversation']>,
): Promise<Finding> {
  // Only new credentials change that.
  if (account.admission() === 'expired') return found('session_expired');
  requireAdmission(deps, account, binding, call);
  account.usedSinceTouch = true;
  const { upstream } = account;
  try {
    return { continuityStatus: 'available', onlyAdded: false, ...(await fetch(upstream, binding.upstreamState)) };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    recordCallOutcome(deps, account, upstream.secret, error);
    const continuity = findContinuity(account, error);
    if (!continuity) throw error;
    deps.log.info({ conversationId: binding.conversationId, continuity }, 'conversation found lost upstream');
    return found(continuity);
  }
}

function found(continuityStatus: Continuity): Finding {
  return { continuityStatus, upstreamState: '', messages: [], onlyAdded: false };
}

function merge({ conversation }: HandlerDeps, binding: Binding, finding: Finding, call: Call): Promise<Conversation> {
  const { conversationId, lastSequence } = binding;
  return recorded(call, conversation.mergeUpstream({ conversationId, lastSequence, ...finding }, onBehalfOf(call, RECORD_MS)));
}

/** The conversation unchanged, but for a project that is there again. */
async function asItIs({ conversation }: HandlerDeps, { conversationId, continuityStatus }: Binding, call: Call): Promise<Conversation> {
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
