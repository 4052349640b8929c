import { type Call } from '@parley/kit/rpc/call';
import { type DeleteConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { removeConnection } from './remove-connection.ts';

/**
 * RPC DeleteConnection, for callers older than RemoveConnection: removes a connection, with an empty response. Throws CONNECTION_NOT_FOUND.
 */
export async function deleteConnection(deps: Deps, { id }: DeleteConnectionRequest, call: Call): Promise<Record<string, never>> {
  await removeConnection(deps, { id, moveTo: '' }, call);
  return {};
}
