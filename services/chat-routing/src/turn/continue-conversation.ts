import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { requireContinuity } from '../domain/failure.ts';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { type AccountChoice, type AccountPlan, chooseFrom, planOf, withoutAccounts } from './account-plan.ts';
import { allows, modelOn } from './choose-account.ts';
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
  const place = { messages, conversationId: binding.conversationId, sequence: binding.lastSequence + 1, binding, project };
  const plan = binding.started ? undefined : planAnew(request, binding, accounts, profile);
  const anew = plan && (await chooseAnew(deps, binding, plan));
  if (anew) return { ...place, ...anew };
  if (!account && binding.continuityStatus === 'available') noteContinuity(deps, binding.conversationId, 'access_lost', call.caller);
  if (!account?.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  if (request.attachmentFileIds.length > 0 && !account.provider.files)
    throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this conversation takes no files', { param: 'attachment_file_ids' });
  return {
    ...place,
    account,
    model: modelOf(request, binding, account),
    probing: await admit(deps, account, binding, call),
    hasRoom: false,
  };
}

/**
 * The accounts that a conversation which no upstream has accepted a turn of may begin on; undefined where it is to stay: its account was named, or
 * what belongs to it is there.
 */
function planAnew(
  request: TurnRequest,
  binding: Binding,
  accounts: readonly Account[],
  profile: ProfileRow | undefined,
): AccountPlan | undefined {
  const stays = request.upstreamAccount || binding.accountNamed || binding.upstreamProjectId || request.attachmentFileIds.length > 0;
  if (stays) return undefined;
  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  const eligible = accounts.filter((account) => account.ready && account.offers(model) && allows(profile, account));
  return planOf(eligible, model, profile);
}

/** Its own account where that is well and has not just failed it, else another one; undefined where only its own is left, or none. */
async function chooseAnew(
  deps: TurnDeps,
  binding: Binding,
  plan: AccountPlan,
): Promise<(AccountChoice & Pick<Route, 'model' | 'plan'>) | undefined> {
  const failed = new Set(binding.lastTurn?.failedAccountIds);
  const all = plan.tiers.flat();
  const own = all.find(({ id }) => id === binding.upstreamAccountId);
  if (own?.admission() === 'closed' && !failed.has(own.id)) {
    const model = plan.model === 'auto' && own.offers(binding.model) ? binding.model : modelOn(own, plan.model);
    return { account: own, probing: false, hasRoom: false, model, plan };
  }
  const isElsewhere = all.some(({ id }) => id !== own?.id);
  if (!isElsewhere || (await deps.files.hasFiles(binding.conversationId))) return undefined;
  const choice = (await chooseFrom(deps, withoutAccounts(plan, failed))) ?? (await chooseFrom(deps, plan));
  return choice && { ...choice, model: modelOn(choice.account, plan.model), plan };
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
  const asked = model === 'auto' ? undefined : account.modelFor(model);
  if (model !== 'auto' && asked === undefined) throw unknownModel([account], model);
  return asked ?? account.modelFor(binding.model || 'auto') ?? account.modelFor('auto') ?? (binding.model || 'auto');
}

/** A started conversation never moves: either its own account takes the turn, or the client hears why not. True for the turn that probes. */
async function admit(deps: TurnDeps, account: Account, binding: Binding, call: Call): Promise<boolean> {
  if (requireAdmission(deps, account, binding, call) === 'closed') return false;
  if (await deps.accounts.health.claimProbe(account)) return true;
  throw new GatewayError('CONVERSATION_UPSTREAM_UNAVAILABLE', 'the account of this conversation is being probed', { retryAfterMs: 1_000 });
}
