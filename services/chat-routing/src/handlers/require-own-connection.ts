import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type Connection } from '../connections/connection.ts';
import { type Deps } from '../deps.ts';
import { existsInOtherWorkspace } from '../store/connections.ts';

/** Request field that names a connection, in requests other than turns; the `param` of errors. */
export const CONNECTION_PARAM = 'upstream_account_id';

/**
 * Returns the connection with this id from the workspace's chat connections. Throws TENANT_ACCESS_DENIED for a connection of another
 * workspace, and CONNECTION_NOT_FOUND for an unknown one.
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
