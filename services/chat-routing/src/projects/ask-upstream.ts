import { type Condition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Account } from '../accounts/account.ts';
import { type Accounts } from '../accounts/accounts.ts';
import { type ProjectOperations } from '../providers/project-operations.ts';
import { type ProviderAccount } from '../providers/provider-account.ts';
import { judgeCall } from '../turn/verdict.ts';

/** What a client hears as it is, because it can do something about it; anything else of an upstream is a failure like any other. */
const TOLD: readonly Condition[] = [
  'ACCOUNT_REAUTH_REQUIRED',
  'PROVIDER_RATE_LIMITED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'INTERNAL_ERROR',
];

/**
 * Asks an account's upstream about projects. What goes wrong counts for the account's health as in a turn; what goes well proves nothing about
 * turns. Throws `failure` with what the upstream's answer means as its cause; that itself where the client can do something about it, and
 * without `failure`.
 */
export async function askUpstream<T>(
  deps: { accounts: Accounts },
  account: Account,
  failure: 'PROJECT_CREATE_FAILED' | 'PROJECT_UPDATE_FAILED' | undefined,
  work: (projects: ProjectOperations, upstream: ProviderAccount) => Promise<T>,
): Promise<T> {
  const { upstream } = account;
  account.usedSinceTouch = true;
  try {
    return await work(projectsOf(account), upstream);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    judgeCall(deps, account, upstream.secret, error);
    if (!failure || TOLD.includes(error.condition)) throw error;
    throw new GatewayError(failure, 'the provider failed to do this with the project', { cause: error, retryAfterMs: error.retryAfterMs });
  }
}

/** What the account's provider can do with projects. Throws VALIDATION_ERROR for one that has none. */
export function projectsOf({ provider }: Account): ProjectOperations {
  if (provider.projects) return provider.projects;
  throw new GatewayError('VALIDATION_ERROR', 'the provider of this account has no projects', { param: 'upstream_account_id' });
}
