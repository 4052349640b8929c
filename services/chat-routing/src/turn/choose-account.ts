import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { leastLoaded } from '../domain/account-choice.ts';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';
import { requireProjectRoute } from './project-route.ts';
import { ACCOUNT_HEADER, PROFILE_HEADER, requireLabel, requireProfile, type Route, unknownModel } from './route.ts';

/** The route of a new conversation: the account that the headers select, or the best of those they allow. */
export async function chooseAccount(deps: TurnDeps, request: TurnRequest, call: Call, accounts: readonly Account[]): Promise<Route> {
  const chosen = request.upstreamAccount ? accounts.find(({ row }) => row.label === request.upstreamAccount) : undefined;
  const project = await requireProjectRoute(deps, request, call, { accountId: chosen?.id });
  const profile = await requireProfile(deps, call.caller.workspaceId, request.routeProfile);
  if (accounts.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  if (request.upstreamAccount) requireUsable(requireLabel(accounts, request.upstreamAccount), project, profile);

  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  const candidates = chosen ? [chosen] : accounts;
  if (!candidates.some((account) => account.offers(model))) throw unknownModel(model);
  const eligible = candidates.filter(
    (account) => account.ready && account.offers(model) && (!project || account.id === project.connectionId) && allows(profile, account),
  );
  const choice = await choose(deps, tiersOf(eligible, profile));
  const offered = model === 'auto' ? (choice.account.row.models[0] ?? 'auto') : model;
  return { ...choice, model: offered, conversationId: uuidv7(), sequence: 1, projectId: project?.id ?? '' };
}

function allows(profile: ProfileRow | undefined, account: Account): boolean {
  return !profile || profile.accountLabels.length === 0 || profile.accountLabels.includes(account.row.label);
}

/** An account that is selected by its label must be usable right now, and agree with the other headers. */
function requireUsable(account: Account, project: ProjectRow | undefined, profile: ProfileRow | undefined): void {
  if (project && project.connectionId !== account.id) {
    throw new GatewayError('VALIDATION_ERROR', 'the upstream project belongs to another account', { param: ACCOUNT_HEADER });
  }
  if (!allows(profile, account))
    throw new GatewayError('VALIDATION_ERROR', 'the profile excludes the selected account', { param: PROFILE_HEADER });
  if (!account.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the selected account is not active', { param: ACCOUNT_HEADER });
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

/** A profile that names accounts names them in order of preference; otherwise all are alike. */
function tiersOf(eligible: readonly Account[], profile: ProfileRow | undefined): (readonly Account[])[] {
  if (!profile || profile.accountLabels.length === 0) return [eligible];
  return profile.accountLabels.map((label) => eligible.filter(({ row }) => row.label === label));
}

type Choice = Pick<Route, 'account' | 'probing' | 'hasRoom'>;

/** Healthy accounts by load; a half-open one gets the turn that probes it, and no other. One with room comes before any where it would wait. */
async function choose(deps: TurnDeps, tiers: (readonly Account[])[]): Promise<Choice> {
  for (const tier of tiers) {
    for (const account of tier) {
      if (account.admission() !== 'half_open' || !(await deps.accounts.health.claimProbe(account))) continue;
      return { account, probing: true, hasRoom: account.gate.tryEnter() };
    }
    const account = leastLoaded(tier.filter((candidate) => candidate.gate.hasRoom && candidate.admission() === 'closed'));
    if (account) return { account, probing: false, hasRoom: account.gate.tryEnter() };
  }
  const full = tiers.flat().filter((candidate) => candidate.admission() === 'closed');
  const patient = full.filter(({ gate }) => gate.canWait);
  const account = leastLoaded(patient.length > 0 ? patient : full);
  if (account) return { account, probing: false, hasRoom: false };
  throw new GatewayError('NO_HEALTHY_SESSION', 'no connected account can take the turn now');
}
