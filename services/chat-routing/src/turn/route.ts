import { ask } from '@parley/kit/rpc/exchange';
import { type Call, onBehalfOf } from '@parley/kit/rpc/call';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { leastLoaded } from '../domain/account-choice.ts';
import { requireContinuity } from '../domain/failure.ts';
import { type TurnDeps } from './deps.ts';
import { requireProjectRoute } from './project-route.ts';

/** Where a turn goes: the account is chosen for a new conversation and given for one that goes on. */
export interface Route {
  account: Account;
  model: string;
  conversationId: string;
  /** Sequence the turn takes in its conversation. */
  sequence: number;
  /** Set for a conversation that goes on. */
  binding?: Binding;
  projectId: string;
  /** The turn is the one that probes a half-open account. */
  probing: boolean;
}

const OPEN_MS = 3_000;

/** Resolves routing headers to an account (spec §4.1, §4.2). Throws the coded refusal of whatever does not fit. */
export async function resolveRoute(deps: TurnDeps, request: TurnRequest, call: Call): Promise<Route> {
  if (request.attachmentFileIds.length > 0) throw new GatewayError('ASSET_NOT_FOUND', 'no such file', { param: 'attachment_file_ids' });
  const loaded = deps.accounts.of(call.caller.workspaceId);
  const accounts = loaded instanceof Promise ? await loaded : loaded;
  return request.conversationId ? continueConversation(deps, request, call, accounts) : beginConversation(deps, request, call, accounts);
}

async function continueConversation(deps: TurnDeps, request: TurnRequest, call: Call, accounts: readonly Account[]): Promise<Route> {
  const binding = await openConversation(deps, request.conversationId, call);
  const account = accounts.find(({ id }) => id === binding.upstreamAccountId);
  requireAgreement(request, binding, account, accounts);
  await requireProjectRoute(deps, request, call, binding);
  requireContinuity(binding.continuityStatus);
  if (!account?.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  const model = modelFor(account, request.model === 'auto' ? binding.model || 'auto' : request.model);
  return {
    account,
    model,
    conversationId: binding.conversationId,
    sequence: binding.lastSequence + 1,
    binding,
    projectId: binding.upstreamProjectId,
    probing: await admitSticky(deps, account),
  };
}

/** Reads where a conversation stands. */
export async function openConversation(deps: TurnDeps, conversationId: string, call: Call): Promise<Binding> {
  const { answer } = await ask(deps.conversation.record, { question: { $case: 'open', value: { conversationId } } }, onBehalfOf(call, OPEN_MS));
  if (answer?.$case !== 'binding') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
  return answer.value;
}

function requireAgreement(request: TurnRequest, binding: Binding, account: Account | undefined, accounts: readonly Account[]): void {
  if (!request.upstreamAccount || account?.row.label === request.upstreamAccount) return;
  requireLabel(accounts, request.upstreamAccount);
  throw new GatewayError('VALIDATION_ERROR', 'the conversation is bound to another account', { param: 'X-Service-Upstream-Account' });
}

/** A started conversation never moves: either its own account takes the turn, or the client hears why not. */
async function admitSticky(deps: TurnDeps, account: Account): Promise<boolean> {
  const retryAfterMs = account.cooldownMs();
  switch (account.admission()) {
    case 'closed':
      return false;
    case 'expired':
      throw new GatewayError('CONVERSATION_SESSION_EXPIRED', 'the session of the account of this conversation has expired');
    case 'rate_limited':
      throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits the account of this conversation', { retryAfterMs });
    case 'half_open':
      if (await deps.accounts.claimProbe(account)) return true;
      throw new GatewayError('CONVERSATION_UPSTREAM_UNAVAILABLE', 'the account of this conversation is being probed', { retryAfterMs: 1_000 });
    case 'open':
      throw new GatewayError('CONVERSATION_UPSTREAM_UNAVAILABLE', 'the account of this conversation is cooling down', { retryAfterMs });
  }
}

async function beginConversation(deps: TurnDeps, request: TurnRequest, call: Call, accounts: readonly Account[]): Promise<Route> {
  const project = await requireProjectRoute(deps, request, call);
  const profile = request.routeProfile ? await deps.rules.findProfile(call.caller.workspaceId, request.routeProfile) : undefined;
  if (request.routeProfile && !profile) throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such route profile', { param: 'X-Service-Route-Profile' });
  if (accounts.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');

  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  if (!accounts.some((account) => account.offers(model))) throw unknownModel(request.model);
  const chosen = request.upstreamAccount ? explicitAccount(accounts, request.upstreamAccount) : undefined;
  const eligible = (chosen ? [chosen] : accounts).filter(
    (account) =>
      account.ready &&
      account.offers(model) &&
      (!project || account.id === project.connectionId) &&
      (!profile || profile.accountLabels.length === 0 || profile.accountLabels.includes(account.row.label)),
  );
  const { account, probing } = await choose(deps, eligible);
  return { account, model: modelFor(account, model), conversationId: uuidv7(), sequence: 1, projectId: project?.id ?? '', probing };
}

/** The label must exist and its account must be usable right now. */
function explicitAccount(accounts: readonly Account[], label: string): Account {
  const account = requireLabel(accounts, label);
  if (!account.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the selected account is not active', { param: 'X-Service-Upstream-Account' });
  switch (account.admission()) {
    case 'expired':
      throw new GatewayError('ACCOUNT_REAUTH_REQUIRED_SELECTED', 'the session of the selected account has expired');
    case 'rate_limited':
      throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits the selected account', { retryAfterMs: account.cooldownMs() });
    case 'closed':
    case 'half_open':
    case 'open':
      return account;
  }
}

function requireLabel(accounts: readonly Account[], label: string): Account {
  const account = accounts.find(({ row }) => row.label === label);
  if (!account) throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this label', { param: 'X-Service-Upstream-Account' });
  return account;
}

/** Healthy accounts first; a half-open one only gets the turn that probes it. */
async function choose(deps: TurnDeps, eligible: readonly Account[]): Promise<{ account: Account; probing: boolean }> {
  const halfOpen: Account[] = [];
  const closed: Account[] = [];
  for (const account of eligible) {
    const admission = account.admission();
    if (admission === 'closed') closed.push(account);
    else if (admission === 'half_open') halfOpen.push(account);
  }
  for (const account of halfOpen) if (await deps.accounts.claimProbe(account)) return { account, probing: true };
  const account = leastLoaded(closed);
  if (!account) throw new GatewayError('NO_HEALTHY_SESSION', 'no connected account can take the turn now');
  return { account, probing: false };
}

function modelFor(account: Account, model: string): string {
  if (!account.offers(model)) throw unknownModel(model);
  if (model !== 'auto') return model;
  return account.row.models[0] ?? 'auto';
}

function unknownModel(model: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', `no connected account offers the model ${JSON.stringify(model)}`, { param: 'model' });
}
