import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { chooseFrom, noHealthySessionError, toAccountPlan } from '../accounts/account-plan.ts';
import { type Account } from '../accounts/account.ts';
import { ACCOUNT_HEADER, listEligibleAccounts, resolveModel } from '../accounts/eligible-accounts.ts';
import { type TurnDeps } from './deps.ts';
import { requireProjectRoute } from './require-project-route.ts';
import { requireLabel, requireProfile, type Route } from './route.ts';

/** The route of a new conversation: the connection that the headers select, or the best of those they allow. */
export async function chooseAccount(deps: TurnDeps, request: TurnRequest, call: Call, accounts: readonly Account[]): Promise<Route> {
  const chosen = request.upstreamAccount ? accounts.find(({ row }) => row.label === request.upstreamAccount) : undefined;
  const project = await requireProjectRoute(deps, request, call, { accountId: chosen?.id });
  const profile = await requireProfile(deps, call.caller.workspaceId, request.routeProfile);
  if (accounts.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const named = request.upstreamAccount ? requireLabel(accounts, request.upstreamAccount) : undefined;
  const model = request.model === 'auto' ? profile?.model || 'auto' : request.model;
  const eligible = listEligibleAccounts(accounts, { named, param: ACCOUNT_HEADER, project, profile, model });
  const plan = toAccountPlan(eligible, model, profile);
  const choice = await chooseFrom(deps, plan);
  if (!choice) throw noHealthySessionError(plan);
  return {
    ...choice,
    model: resolveModel(choice.account, model),
    messages: request.messages,
    conversationId: uuidv7(),
    sequence: 1,
    project,
    ...(!named && { plan }),
  };
}
