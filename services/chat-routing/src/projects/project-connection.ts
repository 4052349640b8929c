import { GatewayError } from '@parley/protos/errors';
import { requireAvailableConnection } from '../connections/connection-plan.ts';
import { type ConnectionRegistry } from '../connections/connection-registry.ts';
import { type Connection } from '../connections/connection.ts';
import { requireUsableConnection } from '../connections/eligible-connections.ts';
import { type StoredProject } from '../store/projects.ts';

/**
 * Returns the connection of a project. Throws ACCOUNT_NOT_ACTIVE, ACCOUNT_REAUTH_REQUIRED_SELECTED, PROVIDER_RATE_LIMITED or
 * NO_HEALTHY_SESSION when it does not admit requests.
 */
export async function requireProjectConnection(
  { connections }: { connections: ConnectionRegistry },
  { workspaceId, connectionId }: Pick<StoredProject, 'workspaceId' | 'connectionId'>,
): Promise<Connection> {
  const connection = (await connections.listChat(workspaceId)).find(({ id }) => id === connectionId);
  if (!connection) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this project is not active');
  requireUsableConnection(connection, {});
  return requireAvailableConnection([connection]);
}
