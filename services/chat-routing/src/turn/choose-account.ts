import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { type Admission } from '../domain/breaker.ts';
import { pickLeastLoaded } from '../domain/account-choice.ts';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { chooseFrom, noHealthySession, planOf } from './account-plan.ts';
import { type TurnDeps } from './deps.ts';
import { requireProjectRoute } from './project-route.ts';
import { ACCOUNT_HEADER, PROFILE_HEADER, requireLabel, requireProfile, type Route, unknownModel } from './route.ts';

/** The route of a new conversation: the account that the headers select, or the best of those they allow. */
export async function chooseAccount(deps: TurnDeps, request: TurnRequest, call: Call, accounts: readonly Account[]): Promise<Route> {
  const chosen = request.upstreamAccount ? accounts.find(({ row }) => row.label === request.upstreamAccount) : undefined;
  const project = await requireProjectRoute(deps, request, call, { accountId: chosen?.id });
  const profile = await requireProfile(deps, call.caller.workspaceId, request.routeProfile);
  if (accounts.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const named = request.upstreamAccount ? requireLabel(accounts, request.upstreamAccount) : undefined;
  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  const eligible = eligibleAccounts(accounts, { named, param: ACCOUNT_HEADER, project, profile, model });
  const plan = planOf(eligible, model, profile);
  const choice = await chooseFrom(deps, plan);
  if (!choice) throw noHealthySession(plan);
  return {
    ...choice,
    model: modelOn(choice.account, model),
    messages: request.messages,
    conversationId: uuidv7(),
    sequence: 1,
    project,
    ...(!named && { plan }),
  };
}

/** What a new conversation asks of its account. */
export interface Wish {
  /** The account that was selected explicitly. */
  named: Account | undefined;
  /** What named it, as the param of its errors. */
  param: string;
  project?: ProjectRow | undefined;
  profile?: ProfileRow | undefined;
  /** `auto` or a model. */
  model: string;
}

/** The accounts that may take a new conversation. Throws why a selected one may not, and INVALID_REQUEST for a model that none offers. */
export function eligibleAccounts(accounts: readonly Account[], wish: Wish): readonly Account[] {
  const { named, project, profile, model } = wish;
  if (named) requireUsable(named, wish);
  const candidates = named ? [named] : accounts;
  if (!candidates.some((account) => account.offers(model))) throw unknownModel(candidates, model);
  return candidates.filter(
    (account) => account.ready && account.offers(model) && (!project || account.id === project.connectionId) && allows(profile, account),
  );
}

/** The account of a conversation that begins without a turn: the least loaded one that admits turns, or will as soon as one proves it. */
export function placeWithoutTurn(eligible: readonly Account[]): Account {
  const admitting = (admission: Admission) => eligible.filter((account) => account.admission() === admission);
  const account = pickLeastLoaded(admitting('closed')) ?? pickLeastLoaded(admitting('half_open'));
  if (!account) throw noHealthySession({ tiers: [eligible], model: 'auto' });
  return account;
}

/** The model that a new conversation is written with on its account. */
export function modelOn(account: Account, model: string): string {
  return account.modelFor(model) ?? model;
}

/** Whether a profile lets a turn go to an account. */
export function allows(profile: ProfileRow | undefined, account: Account): boolean {
  return !profile || profile.accountLabels.length === 0 || profile.accountLabels.includes(account.row.label);
}

/** An account that is selected explicitly must be usable right now, and agree with what else was selected. */
export function requireUsable(account: Account, { param, project, profile }: Partial<Omit<Wish, 'named' | 'model'>>): void {
  if (project && project.connectionId !== account.id) {
    throw new GatewayError('VALIDATION_ERROR', 'the upstream project belongs to another account', { param });
  }
  if (!allows(profile, account))
    throw new GatewayError('VALIDATION_ERROR', 'the profile excludes the selected account', { param: PROFILE_HEADER });
  if (!account.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the selected account is not active', { param });
  switch (account.admission()) {
    case 'expired':
      throw new GatewayError('ACCOUNT_REAUTH_REQUIRED_SELECTED', 'the session of the selected account has expired');
    case 'rate_limited':
      throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits the selected account', { retryAfterMs: account.cooldownMs() });
    case 'closed':
    case 'half_open':
    case 'open':
  }
}
