import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { requireContinuity } from '../domain/failure.ts';
import { type ProjectRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';
import { messagesOf } from './messages-of.ts';
import { findLiveProject, requireProjectRoute } from './project-route.ts';
import { requireAdmission } from './require-admission.ts';
import { ACCOUNT_HEADER, openConversation, PROFILE_HEADER, requireLabel, requireProfile, type Route, unknownModel } from './route.ts';
import { noteContinuity } from './verdict.ts';

/**
 * The route of a conversation that goes on: its own account, or the reason why not. A request that `reclaims` did not know that it goes on, so
 * everything it says is new.
 */
export async function continueConversation(
  deps: TurnDeps,
  request: TurnRequest,
  call: Call,
  accounts: readonly Account[],
  { reclaims = false } = {},
): Promise<Route> {
  const binding = await openConversation(deps, request.conversationId, call);
  const messages = reclaims ? request.messages : await messagesOf(deps, request, binding, call);
  const account = accounts.find(({ id }) => id === binding.upstreamAccountId);
  requireAccount(request, account, accounts);
  await requireProjectRoute(deps, request, call, { binding });
  const profile = await requireProfile(deps, call.caller.workspaceId, request.routeProfile);
  if (profile && account && profile.accountLabels.length > 0 && !profile.accountLabels.includes(account.row.label)) {
    throw new GatewayError('VALIDATION_ERROR', 'the profile excludes the account of the conversation', { param: PROFILE_HEADER });
  }
  requireContinuity(binding.continuityStatus);
  const project = await requireLiveProject(deps, binding, call);
  if (!account?.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  if (request.attachmentFileIds.length > 0 && !account.provider.files)
    throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this conversation takes no files', { param: 'attachment_file_ids' });
  const model = modelOf(request, binding, account);
  return {
    account,
    model,
    messages,
    conversationId: binding.conversationId,
    sequence: binding.lastSequence + 1,
    binding,
    project,
    probing: await admit(deps, account, binding, call),
    hasRoom: false,
  };
}

function requireAccount(request: TurnRequest, account: Account | undefined, accounts: readonly Account[]): void {
  if (!request.upstreamAccount || account?.row.label === request.upstreamAccount) return;
  requireLabel(accounts, request.upstreamAccount);
  throw new GatewayError('VALIDATION_ERROR', 'the conversation is bound to another account', { param: ACCOUNT_HEADER });
}

/** The project of a conversation must still be there; what it was about is gone otherwise. */
async function requireLiveProject(
  deps: TurnDeps,
  { conversationId, upstreamProjectId }: Binding,
  { caller }: Call,
): Promise<ProjectRow | undefined> {
  if (!upstreamProjectId) return undefined;
  const project = await findLiveProject(deps, caller.workspaceId, upstreamProjectId);
  if (!project) {
    noteContinuity(deps, conversationId, 'project_unavailable', caller);
    requireContinuity('project_unavailable');
  }
  return project;
}

/** `auto` keeps to the model the conversation began with for as long as its account offers it. */
function modelOf({ model }: TurnRequest, binding: Binding, account: Account): string {
  if (model !== 'auto' && !account.offers(model)) throw unknownModel(model);
  if (model !== 'auto') return model;
  const own = binding.model || 'auto';
  return own !== 'auto' && account.offers(own) ? own : (account.row.models[0] ?? 'auto');
}

/** A started conversation never moves: either its own account takes the turn, or the client hears why not. True for the turn that probes. */
async function admit(deps: TurnDeps, account: Account, binding: Binding, call: Call): Promise<boolean> {
  if (requireAdmission(deps, account, binding, call) === 'closed') return false;
  if (await deps.accounts.health.claimProbe(account)) return true;
  throw new GatewayError('CONVERSATION_UPSTREAM_UNAVAILABLE', 'the account of this conversation is being probed', { retryAfterMs: 1_000 });
}
