import { GatewayError } from '@parley/protos/errors';
import { type Account } from '../accounts/account.ts';
import { type Accounts } from '../accounts/accounts.ts';
import { type StoredProject } from '../store/projects.ts';
import { placeWithoutTurn, requireUsable } from '../turn/choose-account.ts';

/** The account of a project, fit to be asked. Throws ACCOUNT_NOT_ACTIVE, ACCOUNT_REAUTH_REQUIRED_SELECTED, PROVIDER_RATE_LIMITED or NO_HEALTHY_SESSION. */
export async function requireProjectAccount(
  { accounts }: { accounts: Accounts },
  { workspaceId, connectionId }: Pick<StoredProject, 'workspaceId' | 'connectionId'>,
): Promise<Account> {
  const account = (await accounts.of(workspaceId)).find(({ id }) => id === connectionId);
  if (!account) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this project is not active');
  requireUsable(account, {});
  return placeWithoutTurn([account]);
}
