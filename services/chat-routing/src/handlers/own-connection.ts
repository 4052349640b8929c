import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type Connection } from '../connections/connection.ts';
import { type Deps } from '../deps.ts';
import { existsInOtherWorkspace } from '../store/connections.ts';

/** What names a connection in the requests that are no turns. */
export const CONNECTION_PARAM = 'upstream_account_id';

/**
 * The workspace's connection with this id, of those that turns run on. One of another workspace is refused otherwise than an unknown one: TENANT_ACCESS_DENIED and
 * CONNECTION_NOT_FOUND.
 */
export async function requireOwnConnection(
  { store }: Pick<Deps, 'store'>,
  connections: readonly Connection[],
  workspaceId: string,
  id: string,
): Promise<Connection> {
  const connection = connections.find((candidate) => candidate.id === id);
  if (connection) return connection;
  if (isUuid(id) && (await existsInOtherWorkspace(store.database, workspaceId, id)))
    throw new GatewayError('TENANT_ACCESS_DENIED', 'the account belongs to another workspace', { param: CONNECTION_PARAM });
  throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this id', { param: CONNECTION_PARAM });
}
