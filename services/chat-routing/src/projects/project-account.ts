import { GatewayError } from '@parley/protos/errors';
import { requireAvailableAccount } from '../accounts/account-plan.ts';
import { type Account } from '../accounts/account.ts';
import { type Accounts } from '../accounts/accounts.ts';
import { requireUsable } from '../accounts/eligible-accounts.ts';
import { type StoredProject } from '../store/projects.ts';

/** The connection of a project, which admits requests. Throws ACCOUNT_NOT_ACTIVE, ACCOUNT_REAUTH_REQUIRED_SELECTED, PROVIDER_RATE_LIMITED or NO_HEALTHY_SESSION. */
export async function requireProjectAccount(
  { accounts }: { accounts: Accounts },
  { workspaceId, connectionId }: Pick<StoredProject, 'workspaceId' | 'connectionId'>,
): Promise<Account> {
  const account = (await accounts.of(workspaceId)).find(({ id }) => id === connectionId);
  if (!account) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this project is not active');
  requireUsable(account, {});
  return requireAvailableAccount([account]);
}
