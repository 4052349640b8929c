import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type Account } from '../accounts/account.ts';
import { type HandlerDeps } from './deps.ts';

/** What names an account in the requests that are no turns. */
export const ACCOUNT_PARAM = 'upstream_account_id';

/**
 * The workspace's account with this id, of those that turns run on. One of another workspace is refused otherwise than an unknown one: TENANT_ACCESS_DENIED and
 * CONNECTION_NOT_FOUND.
 */
export async function requireOwnAccount(
  { connections }: Pick<HandlerDeps, 'connections'>,
  accounts: readonly Account[],
  workspaceId: string,
  id: string,
): Promise<Account> {
  const account = accounts.find((candidate) => candidate.id === id);
  if (account) return account;
  if (isUuid(id) && (await connections.existsElsewhere(workspaceId, id)))
    throw new GatewayError('TENANT_ACCESS_DENIED', 'the account belongs to another workspace', { param: ACCOUNT_PARAM });
  throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this id', { param: ACCOUNT_PARAM });
}
